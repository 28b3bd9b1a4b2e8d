/** @jsxImportSource preact */

import type { Meaning } from '../../../platform/config/values.ts'
import { Failure, type WrongField } from '../../../platform/failure.ts'
import {
  type Draft,
  FormField,
  formField,
  readForm,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form.tsx'
import { Code } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { type Identity, listIdentitiesOf } from '../../accounts/model/identity-store.ts'
import type { Check } from '../../check.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import { readDraft } from '../../pages/read-fields.ts'
import type { SignedIn } from '../../pages/visit.ts'
import {
  type ProviderDraft,
  removeProvider,
  requireOwnProvider,
  saveProvider,
} from '../change-providers.ts'
import { CLIENT_AUTHS, HOURS, type Provider, redirectOf } from '../model/provider.ts'
import { CLAIM, CLIENT_ID, DOMAINS, GROUP_NAMES, ISSUER, NAME, SCOPES } from '../settings.ts'
import type { SignInWithDeps } from '../sign-in-with.ts'
import { Checks, readChecks } from './provider-checks.tsx'

const TEXTS = [
  ...[
    'name',
    'issuer',
    'clientId',
    'clientAuth',
    'scopes',
    'groupsClaim',
    'directoryClaim',
    'domains',
  ],
  ...['requiredGroups', 'ownerGroups', 'groups', 'joins', 'links', 'hours'],
] as const
const FINE: Wrong = new Map()

/** `/settings/sign-in/new`: a provider is set up. */
export function showNewProvider(deps: SignInWithDeps, visit: SignedIn): Response {
  return providerPage(deps, visit, { draft: { clientAuth: 'post', hours: `${HOURS.usual}` } })
}

/** `/settings/sign-in/providers/:id`: one provider, and who signs in with it. */
export async function showProvider(deps: SignInWithDeps, visit: SignedIn): Promise<Response> {
  const provider = await requireOwnProvider(deps, visit.person, visit.params.id ?? '')
  const people = await listIdentitiesOf(deps.db.read, provider.id)
  const checks = visit.url.searchParams.has('check') ? await readChecks(deps, provider) : undefined
  return providerPage(deps, visit, { provider, people, checks, draft: draftOf(provider) })
}

export async function submitProvider(deps: SignInWithDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { id } = visit.params
  const draft = readDraft(form, TEXTS)
  const provider = id === undefined ? undefined : await requireOwnProvider(deps, visit.person, id)
  const { input, wrong } = readProviderForm(draft, formField(form, 'clientSecret'))
  try {
    if (wrong.length > 0) throw new Failure('invalid_input', '', { fields: wrong })
    const saved = await saveProvider(deps, visit.person, id, input)
    return seeOther(`${href.provider(saved.id)}?check=yes`)
  } catch (error) {
    if (!(error instanceof Failure) || error.fields.length === 0) throw error
    const fields = new Map(error.fields.map(({ field, must }) => [field, `It ${must}.`]))
    return providerPage(deps, visit, { provider, draft, wrong: fields, status: error.status })
  }
}

export async function submitRemoveProvider(
  deps: SignInWithDeps,
  visit: SignedIn,
): Promise<Response> {
  await readForm(visit.request)
  await removeProvider(deps, visit.person, visit.params.id ?? '')
  return seeOther(paths.company)
}

function readProviderForm(draft: Draft, secret: string) {
  const wrong: WrongField[] = []
  function read<T>(field: string, meaning: Meaning<T>, empty?: T): T {
    const text = draft[field] ?? ''
    const value = text === '' && empty !== undefined ? empty : meaning.read(text)
    if (value === undefined) wrong.push({ field, must: `must be ${meaning.must}` })
    return value as T
  }
  const hours = Number(draft.hours)
  if (!(Number.isInteger(hours) && hours >= HOURS.least && hours <= HOURS.most)) {
    wrong.push({ field: 'hours', must: `must be from ${HOURS.least} to ${HOURS.most}` })
  }
  const input: ProviderDraft = {
    secret: secret === '' ? undefined : secret,
    settings: {
      name: read('name', NAME),
      issuer: read('issuer', ISSUER),
      clientId: read('clientId', CLIENT_ID),
      clientAuth: CLIENT_AUTHS.find((one) => one === draft.clientAuth) ?? 'post',
      scopes: read('scopes', SCOPES, []),
      groupsClaim: read('groupsClaim', CLAIM, ''),
      directoryClaim: read('directoryClaim', CLAIM, ''),
      domains: read('domains', DOMAINS, []),
      requiredGroups: read('requiredGroups', GROUP_NAMES, []),
      ownerGroups: read('ownerGroups', GROUP_NAMES, []),
      groups: read('groups', GROUP_NAMES, []),
      joins: draft.joins === 'yes',
      links: draft.links === 'yes',
      hours,
    },
  }
  return { input, wrong }
}

function draftOf(provider: Provider): Draft {
  const { scopes, domains, requiredGroups, ownerGroups, groups, joins, links, hours } = provider
  const { name, issuer, clientId, clientAuth, groupsClaim, directoryClaim = '' } = provider
  return {
    ...{ name, issuer, clientId, clientAuth, groupsClaim, directoryClaim, hours: `${hours}` },
    ...{ scopes: scopes.join(' '), domains: domains.join(', '), groups: groups.join(', ') },
    ...{ requiredGroups: requiredGroups.join(', '), ownerGroups: ownerGroups.join(', ') },
    ...{ joins: joins ? 'yes' : '', links: links ? 'yes' : '' },
  }
}

type View = {
  provider?: Provider | undefined
  people?: Identity[]
  checks?: Check[] | undefined
  draft: Draft
  wrong?: Wrong
  status?: number
}

function providerPage(deps: SignInWithDeps, visit: SignedIn, view: View): Response {
  const { provider, people = [], checks, draft, wrong = FINE, status = 200 } = view
  const title = provider?.name ?? 'Set up a provider'
  return html(
    <Layout
      visit={visit}
      title={title}
      section="settings"
      back={{ to: paths.company, name: 'Back to the company sign-in' }}
    >
      <div class="page-head">
        <h1>
          <SafeText text={title} />
        </h1>
        {provider?.isFixed && (
          <p class="sub">It is set in the environment of the server, and changed there.</p>
        )}
      </div>
      {provider && (
        <section class="part">
          <h2>At the provider</h2>
          <p class="soft">Register these for the client; the last two are optional.</p>
          <Address name="Redirect address" rule="People come back to it.">
            {redirectOf(deps.config.baseUrl, provider)}
          </Address>
          <Address
            name="Back-channel logout address"
            rule="It ends sign-ins here when they end there."
          >
            {`${deps.config.baseUrl}/sign-in/out/${provider.id}`}
          </Address>
          <Address
            name="Address after signing out"
            rule="Whoever signs out there as well comes back to it."
          >
            {deps.config.baseUrl + paths.signIn}
          </Address>
        </section>
      )}
      {provider && <Checks checks={checks} />}
      <WrongFields wrong={wrong} labels={LABELS} />
      {!provider?.isFixed && (
        <ProviderForm
          draft={draft}
          wrong={wrong}
          to={provider ? href.provider(provider.id) : paths.newProvider}
          isNew={!provider}
        />
      )}
      {provider && people.length > 0 && <People provider={provider} people={people} />}
      {provider && !provider.isFixed && <Remove provider={provider} />}
    </Layout>,
    status,
  )
}

function Address({ name, rule, children }: { name: string; rule: string; children: string }) {
  return (
    <div class="field">
      <b>{name}</b>
      <p class="rule">{rule}</p>
      <Code name={name}>{children}</Code>
    </div>
  )
}

const LABELS: Record<string, string> = {
  name: 'Name',
  issuer: 'Issuer',
  clientId: 'Client id',
  clientSecret: 'Client secret',
  scopes: 'More scopes',
  groupsClaim: 'Claim with the groups',
  directoryClaim: 'Claim with the id of a directory',
  domains: 'Domains',
  requiredGroups: 'Required groups',
  ownerGroups: 'Groups of owners',
  groups: 'Groups here',
  joins: 'Joining',
  hours: 'Hours',
}

type FormProps = { draft: Draft; wrong: Wrong; to: string; isNew: boolean }

function ProviderForm({ draft, wrong, to, isNew }: FormProps) {
  const field = (name: string, rule: string, more: { required?: boolean } = {}) => (
    <FormField name={name} label={LABELS[name] ?? name} {...{ draft, wrong }} {...more}>
      {rule}
    </FormField>
  )
  return (
    <form method="post" action={to} class="part requests">
      {field('name', 'On the button: “Sign in with Acme”.', { required: true })}
      {field('issuer', 'As its metadata have it, like https://login.example.com.', {
        required: true,
      })}
      {field('clientId', 'Of this server, at the provider.', { required: true })}
      <FormField name="clientSecret" label="Client secret" type="password" {...{ draft, wrong }}>
        {isNew ? 'It is not shown again.' : 'Leave it empty to keep the one that is stored.'}
      </FormField>
      <div class="field">
        <label for="clientAuth">How the secret is sent</label>
        <select id="clientAuth" name="clientAuth">
          {CLIENT_AUTHS.map((one) => (
            <option value={one} selected={draft.clientAuth === one}>
              {AUTH_WORDS[one]}
            </option>
          ))}
        </select>
      </div>
      {field('domains', 'Of the addresses that may join or be linked, like example.com.')}
      <label class="check">
        <input type="checkbox" name="joins" value="yes" checked={draft.joins === 'yes'} />
        <span>People whom nobody invited become members</span>
      </label>
      <label class="check">
        <input type="checkbox" name="links" value="yes" checked={draft.links === 'yes'} />
        <span>Offer an account to the person with the same address, once they prove it</span>
      </label>
      {field('scopes', 'Besides openid, email and profile; separated by spaces.')}
      {field(
        'directoryClaim',
        'What a directory sends as externalId: sub, or oid at Entra. Then it says who comes, not the address.',
      )}
      {field('groupsClaim', 'Its name or path: groups, or realm_access.roles.')}
      {field('requiredGroups', 'Whoever is in none of these is refused.')}
      {field('ownerGroups', 'Whoever is in one of these is an owner, everybody else a member.')}
      {field('groups', 'That are groups here as well: engineers, or ID=engineers.')}
      <FormField
        name="hours"
        label="Hours that a sign-in holds"
        type="number"
        min={HOURS.least}
        max={HOURS.most}
        {...{ draft, wrong }}
      />
      <button type="submit" class="primary">
        {isNew ? 'Set up' : 'Save'}
      </button>
    </form>
  )
}

const AUTH_WORDS = {
  post: 'In the body (client_secret_post)',
  basic: 'As basic authentication (client_secret_basic)',
  none: 'There is no secret',
}

function People({ provider, people }: { provider: Provider; people: Identity[] }) {
  return (
    <section class="part" aria-labelledby="people-title">
      <h2 id="people-title">Who signs in with it</h2>
      <ul class="rows">
        {people.map(({ label, personId }) => (
          <li class="row">
            <div class="row-main">
              <span class="row-title">
                <SafeText text={label} />
              </span>
            </div>
            <form method="post" action={href.disconnect(provider.id)} class="row-side">
              <input type="hidden" name="person" value={personId} />
              <button type="submit" class="small">
                Disconnect
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Remove({ provider }: { provider: Provider }) {
  return (
    <details class="removing part">
      <summary>Remove it</summary>
      <form method="post" action={href.removeProvider(provider.id)}>
        <p>
          Whoever signed in with it is signed out. Their accounts stay for a month, in case it comes
          back.
        </p>
        <button type="submit" class="small bad">
          Remove {provider.name}
        </button>
      </form>
    </details>
  )
}
