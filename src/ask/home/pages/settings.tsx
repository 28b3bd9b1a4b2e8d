/** @jsxImportSource preact */

import type { VNode } from 'preact'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { isAuditor, may } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { ownPath, paths } from '../../pages/paths.ts'
import { ACTING_PAGES } from '../../pages/read-only.ts'
import { type SignedIn, THEMES, type Theme, type Visit } from '../../pages/visit.ts'
import {
  type RowState,
  SETTINGS_GROUPS,
  type SettingsGroup,
  type SettingsRow,
} from '../../settings-row.ts'

export type SettingsDeps = { settingsRows(): Promise<readonly SettingsRow[]> }

const YEAR_S = 365 * 24 * 3600

const GROUP_NAMES: Record<SettingsGroup, string> = {
  you: 'You',
  agents: 'Agents',
  people: 'People',
  reach: 'Reach',
  server: 'Server',
}

const THEME_NAMES: Record<Theme, string> = { auto: 'As the system', light: 'Light', dark: 'Dark' }

/** `/settings`: what can be set, in groups, each page with its state. */
export async function showSettings(deps: SettingsDeps, visit: SignedIn): Promise<Response> {
  const { person, theme } = visit
  const all = await deps.settingsRows()
  const isForReaders = ({ to }: SettingsRow) => !isAuditor(person) || !ACTING_PAGES.has(to)
  const seen = all.filter((row) => isForReaders(row) && (!row.needs || may(person, row.needs)))
  const rows = await Promise.all(seen.map(async (row) => ({ ...row, now: await row.state(visit) })))
  return html(
    <Layout visit={visit} title="Settings" section="settings">
      <div class="page-head">
        <h1>Settings</h1>
        <p class="sub">
          {person.name} · {person.email} · {person.role}
        </p>
      </div>
      <div class="settings">
        {SETTINGS_GROUPS.map((group) => (
          <Group name={group} rows={rows.filter((row) => row.group === group)}>
            {group === 'you' && <Appearance theme={theme} />}
          </Group>
        ))}
      </div>
      <form method="post" action={paths.signOut} class="part">
        <button type="submit">
          <Icon name="leave" />
          Sign out
        </button>
      </form>
    </Layout>,
  )
}

type ShownRow = SettingsRow & { now: RowState }
type GroupProps = { name: SettingsGroup; rows: ShownRow[]; children: VNode | false }

function Group({ name, rows, children }: GroupProps) {
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={`group-${name}`}>
      <h2 id={`group-${name}`}>{GROUP_NAMES[name]}</h2>
      <ul class="rows">
        {rows.map((row) => (
          <Row {...row} />
        ))}
      </ul>
      {children}
    </section>
  )
}

function Row({ icon, to, name, now: { words, tone, pending } }: ShownRow) {
  const id = `row${to.replaceAll('/', '-')}`
  const again = pending && {
    'hx-get': paths.settings,
    'hx-trigger': 'load delay:1s',
    'hx-select': `#${id}`,
    'hx-swap': 'outerHTML',
  }
  return (
    <li class="row" id={id} data-move {...again}>
      <span class={`dot ${tone ?? 'calm'}`}>
        <Icon name={icon} />
      </span>
      <a class="row-main" href={to}>
        <span class="row-title">{name}</span>
        {tone ? (
          <span class={`status ${tone}`}>
            <Icon name="warning" />
            {words}
          </span>
        ) : (
          <span class="row-sub">{words}</span>
        )}
      </a>
      <Icon name="chevron" />
    </li>
  )
}

function Appearance(props: { theme: Theme }) {
  return (
    <form method="post" action={paths.theme} class="switch" data-theme-form aria-label="Appearance">
      {THEMES.map((theme) => (
        <button type="submit" name="theme" value={theme} aria-pressed={theme === props.theme}>
          {THEME_NAMES[theme]}
        </button>
      ))}
    </form>
  )
}

/** Light, dark, or as the system; stored in this browser only. */
export async function setTheme(_deps: unknown, visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const theme = THEMES.find((candidate) => candidate === formField(form, 'theme')) ?? 'auto'
  const back = ownPath(formField(form, 'back') || paths.settings)
  const cookie = `theme=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`
  return seeOther(back, new Headers({ 'set-cookie': cookie }))
}
