/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { formField, Problem, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import type { ChannelModule, SettingsLink } from '../../delivery/channel-module.ts'
import { Layout } from '../../pages/layout.tsx'
import { ownPath, paths } from '../../pages/paths.ts'
import { type SignedIn, THEMES, type Theme, type Visit } from '../../pages/visit.ts'
import type { Policies } from '../../policy/model/store.ts'
import { policyName } from '../../policy/pages/policy-words.ts'
import { countSubscribers } from '../../subscribers/model/page-store.ts'
import { countTokens } from '../../tokens/agent-tokens.ts'

type Deps = { db: Db; clock: Clock; policies: Policies; channels: readonly ChannelModule[] }

const YEAR_S = 365 * 24 * 3600

const THEME_NAMES: Record<Theme, string> = { auto: 'As the system', light: 'Light', dark: 'Dark' }

/** `/settings`: what is connected, the theme, and who is signed in. */
export async function showSettings(deps: Deps, visit: SignedIn): Promise<Response> {
  const { person } = visit
  const links = await linksFor(deps, person)
  return html(
    <Layout visit={visit} title="Settings" section="settings" scripts={['passkey.js']}>
      <div class="page-head">
        <h1>Settings</h1>
      </div>
      <ul class="rows doors">
        {links.map(
          ({ needs, ...link }) => (!needs || may(person, needs)) && <SettingsEntry {...link} />,
        )}
      </ul>
      <Appearance theme={visit.theme} />
      <You person={person} />
    </Layout>,
  )
}

/** Where the settings of this person are, in the order of the page. */
async function linksFor(deps: Deps, person: SignedIn['person']): Promise<SettingsLink[]> {
  const [devices, live, { policy, rules }] = await Promise.all([
    countSubscribers(deps.db.read, person.workspaceId),
    countTokens(deps, person),
    deps.policies.of(person.workspaceId),
  ])
  const ownSwitches = 'What reaches your own devices'
  const health = 'Each link from an agent to your phone, proved'
  return [
    { to: paths.devices, icon: 'phone', name: 'Devices', sub: count(devices, 'device') },
    { to: paths.ownSwitches, icon: 'bell', name: 'Notifications', sub: ownSwitches },
    { to: paths.tokens, icon: 'key', name: 'Agent tokens', sub: count(live, 'token') },
    { to: paths.people, icon: 'person', name: 'People', sub: 'Who signs in, and who is an owner' },
    { to: paths.policy, icon: 'clock', name: 'Policy', sub: policyName(policy) },
    { to: paths.rules, icon: 'rule', name: 'Rules', sub: exceptions(rules.length) },
    {
      to: paths.allowed,
      icon: 'clock',
      name: 'Allowed for now',
      sub: 'Calls that pass for a while',
    },
    {
      needs: 'callbacks',
      to: paths.callbacks,
      icon: 'link',
      name: 'Callbacks',
      sub: 'Answers posted to programs',
    },
    ...deps.channels.flatMap(({ settings }) => settings?.link ?? []),
    { needs: 'health', to: paths.health, icon: 'activity', name: 'Health', sub: health },
  ]
}

function Appearance(props: { theme: Theme }) {
  return (
    <section class="part">
      <h2>Appearance</h2>
      <form method="post" action={paths.theme} class="switch" data-theme-form>
        {THEMES.map((theme) => (
          <button type="submit" name="theme" value={theme} aria-pressed={theme === props.theme}>
            {THEME_NAMES[theme]}
          </button>
        ))}
      </form>
    </section>
  )
}

function You({ person }: Pick<SignedIn, 'person'>) {
  return (
    <section class="part who">
      <h2>You</h2>
      <p>
        <b>{person.name}</b>
        <br />
        <span class="soft">
          {person.email} · {person.role}
        </span>
      </p>
      <p>
        <a href={paths.ownPassword}>Change your password</a>
      </p>
      <p>
        <a href={paths.passkeys}>Your passkeys and sign-ins</a>
      </p>
      <div class="passkey" data-passkey="add" hidden>
        <button type="button">
          <Icon name="key" />
          Add a passkey
        </button>
        <p class="rule" id="passkey-said" role="status" />
      </div>
      <Problem id="problem" hidden />
      <form method="post" action={paths.signOut}>
        <button type="submit">
          <Icon name="leave" />
          Sign out
        </button>
      </form>
    </section>
  )
}

function SettingsEntry(props: Omit<SettingsLink, 'needs'>) {
  return (
    <li class="row" data-move>
      <span class="dot calm">
        <Icon name={props.icon} />
      </span>
      <a class="row-main" href={props.to}>
        <span class="row-title">{props.name}</span>
        <span class="row-sub">{props.sub}</span>
      </a>
      <Icon name="chevron" />
    </li>
  )
}

function exceptions(number: number): string {
  if (number === 0) return 'No exceptions from the policy'
  return number === 1 ? 'One exception' : `${number} exceptions`
}

function count(number: number, name: string): string {
  if (number === 0) return 'None connected yet'
  return number === 1 ? `One ${name}` : `${number} ${name}s`
}

/** Light, dark, or as the system; stored in this browser only. */
export async function setTheme(_deps: unknown, visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const theme = THEMES.find((candidate) => candidate === formField(form, 'theme')) ?? 'auto'
  const back = ownPath(formField(form, 'back') || paths.settings)
  const cookie = `theme=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`
  return seeOther(back, new Headers({ 'set-cookie': cookie }))
}
