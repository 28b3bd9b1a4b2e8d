import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { putSetting } from '../../platform/db/settings-store.ts'
import { Failure, type WrongField, wrongFields } from '../../platform/failure.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { endSignIns, listProvenSignIns } from '../accounts/model/sign-in-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { guardAlways } from '../policy/guard.ts'
import { afterSignOut } from '../sign-in/after-sign-out.ts'
import type { LocalSignIn } from '../sign-in/company-access.ts'
import { dropLastSignIn } from './last-sign-in.ts'
import { type Provider, type ProviderSettings, slugOf } from './model/provider.ts'
import { addProvider, dropProvider, findProvider, putProvider } from './model/provider-store.ts'
import { LOCAL_SETTING, readLocalSignIn, readProviders } from './providers.ts'
import { noteRemoval, noteReturn } from './removed-providers.ts'
import { wrongTogether } from './settings.ts'

export type ChangeDeps = { db: Db; clock: Clock; config: Pick<Config, 'baseUrl' | 'company'> }

/** What an owner typed: the settings, and a new secret if there is one. */
export type ProviderDraft = { settings: ProviderSettings; secret: string | undefined }

const PROVIDERS_MAX = 20

/**
 * Sets up a provider, or changes the one with this id. Throws `forbidden`, `invalid_input`,
 * `not_found`, and `conflict` for a name that is taken and for the provider in the environment.
 */
export async function saveProvider(
  { db, clock, config }: ChangeDeps,
  by: Person,
  id: string | undefined,
  { settings, secret }: ProviderDraft,
): Promise<Provider> {
  must(by, 'companySignIn')
  const wrong = wrongDraft(settings, secret, id === undefined)
  if (wrong.length > 0) throw wrongFields(wrong)
  const { workspaceId } = by
  const now = clock.now()
  const keeps = settings.clientAuth !== 'none' && secret !== undefined
  const provider: Provider = {
    ...settings,
    id: id ?? slugOf(settings.name),
    workspaceId,
    secret: keeps ? secret : null,
    isFixed: false,
  }
  const input = { provider, isNew: id === undefined }
  const change = { workspaceId, by, kind: 'provider.save', input }
  const act = { ...config, by, at: now }
  await db.write((tx) => guardAlways(tx, change, () => writeProvider(tx, act, input)))
  return provider
}

/** By whom, at what time, beside what the environment sets. */
export type ProviderAct = Pick<Config, 'company'> & {
  by: Pick<Person, 'workspaceId' | 'id' | 'name'>
  at: number
}

export type ProviderEdit = { provider: Provider; isNew: boolean }

/** Stores a provider that was checked. Throws before it writes anything. */
export async function writeProvider(
  tx: Tx,
  { company, by, at }: ProviderAct,
  { provider, isNew }: ProviderEdit,
): Promise<void> {
  await tx.lock('providers')
  const all = await readProviders({ read: tx, company })
  const existing = all.find((one) => one.id === provider.id)
  if (isNew) {
    if (existing) throw taken(provider.name)
    if (all.length >= PROVIDERS_MAX) throw full()
    await addProvider(tx, provider, at)
    await noteReturn(tx, provider.id, at)
  } else {
    if (existing?.isFixed) throw fixed(existing)
    if (existing?.workspaceId !== by.workspaceId) throw nothing()
    await putProvider(tx, provider)
  }
  const detail = `${isNew ? 'added' : 'changed'}: ${provider.issuer}`
  await recordChange(tx, auditStamp(at), { ...about(by, provider), detail })
}

function wrongDraft(
  settings: ProviderSettings,
  secret: string | undefined,
  isNew: boolean,
): WrongField[] {
  const together = wrongTogether(settings)
  const isMissing = isNew && settings.clientAuth !== 'none' && secret === undefined
  return [
    ...(isMissing ? [{ field: 'clientSecret', must: 'must be the secret of the client' }] : []),
    ...(together ? [together] : []),
  ]
}

/**
 * Removes a provider: its sign-ins end, and the accounts of people stay connected for a month, in
 * case it comes back. Throws `forbidden`, `not_found`, and `conflict` if nobody could sign in any more.
 */
export async function removeProvider(
  { db, clock, config }: ChangeDeps,
  by: Person,
  id: string,
): Promise<void> {
  must(by, 'companySignIn')
  const { workspaceId } = by
  const change = { workspaceId, by, kind: 'provider.remove', input: { id } }
  const act = { ...config, by, at: clock.now() }
  await db.write((tx) => guardAlways(tx, change, () => eraseProvider(tx, act, { id })))
}

export async function eraseProvider(
  tx: Tx,
  { company, by, at }: ProviderAct,
  { id }: Pick<Provider, 'id'>,
): Promise<void> {
  await tx.lock('providers')
  const all = await readProviders({ read: tx, company })
  const provider = all.find((one) => one.id === id && one.workspaceId === by.workspaceId)
  if (!provider) throw nothing()
  if (provider.isFixed) throw fixed(provider)
  const local = await readLocalSignIn({ read: tx, company })
  if (local === 'nobody' && all.length === 1) throw lastWay(provider)
  await dropProvider(tx, by.workspaceId, id)
  await dropLastSignIn(tx, id)
  await noteRemoval(tx, id, at)
  const ended = await endSignIns(
    tx,
    (await listProvenSignIns(tx, { provider: id })).map((one) => one.id),
  )
  for (const personId of new Set(ended.map((one) => one.personId))) {
    await afterSignOut(tx, personId, at)
  }
  await recordChange(tx, auditStamp(at), { ...about(by, provider), detail: 'removed' })
}

/**
 * Sets who signs in with a password or passkey. Throws `forbidden`, and `conflict` if the
 * environment sets it, or this owner has not signed in through a provider: else they might lock
 * everybody out.
 */
export async function setLocalSignIn(
  { db, clock, config: { company } }: ChangeDeps,
  by: Person,
  local: LocalSignIn,
  signedInWith: string | null,
): Promise<void> {
  must(by, 'companySignIn')
  if (company.local) throw setInEnvironment()
  if (local !== 'everybody' && signedInWith === null) throw notTried()
  const { workspaceId } = by
  const change = { workspaceId, by, kind: 'sign_in.local', input: { local } }
  const act = { company, by, at: clock.now() }
  await db.write((tx) => guardAlways(tx, change, () => writeLocalSignIn(tx, act, { local })))
}

export async function writeLocalSignIn(
  tx: Tx,
  { company, by, at }: ProviderAct,
  { local }: { local: LocalSignIn },
): Promise<void> {
  await tx.lock('providers')
  if (local !== 'everybody' && !(await readProviders({ read: tx, company })).length) {
    throw notTried()
  }
  await putSetting(tx, LOCAL_SETTING, local, at)
  const detail = `passwords and passkeys: ${local}`
  const subject = { id: 'local', name: 'Sign-in' }
  await recordChange(tx, auditStamp(at), { ...about(by, subject), detail })
}

/** Throws if nobody could sign in: `nobody` is set, and there is no provider. */
export async function requireEntrance(
  db: Pick<Db, 'read'>,
  company: Config['company'],
): Promise<void> {
  if (company.local !== 'nobody' || company.provider) return
  const stored = await readProviders({ read: db.read, company })
  if (stored.length > 0) return
  throw new Failure(
    'conflict',
    'BECKON_LOCAL_SIGN_IN is nobody, and no provider is set up, so that nobody could sign in. Set BECKON_OIDC_ISSUER, or leave BECKON_LOCAL_SIGN_IN out.',
  )
}

/** The provider of this workspace with this id, as an owner changes it. Throws `not_found`. */
export async function requireOwnProvider(
  { db, config: { company } }: ChangeDeps,
  by: Person,
  id: string,
): Promise<Provider> {
  must(by, 'companySignIn')
  const all = await readProviders({ read: db.read, company })
  const provider = all.find((one) => one.id === id)
  const stored = provider?.isFixed ? provider : await findProvider(db.read, id)
  if (stored?.workspaceId === by.workspaceId) return stored
  throw nothing()
}

function about(by: ProviderAct['by'], { id, name }: { id: string; name: string }) {
  const { workspaceId, id: personId, name: personName } = by
  const kind = 'provider.changed' as const
  return { workspaceId, kind, personId, personName, subjectId: id, subjectName: name }
}

export const nothing = () => new Failure('not_found', 'There is no such provider here.')
const conflict = (sentence: string) => new Failure('conflict', sentence)
const taken = (name: string) =>
  conflict(`There is a provider called ${name} already; nothing was saved. Choose another name.`)
const full = () => conflict(`There are ${PROVIDERS_MAX} providers, the most there may be.`)
const fixed = ({ name }: Provider) =>
  conflict(`${name} is set in the environment of the server; change it there.`)
const lastWay = ({ name }: Provider) =>
  conflict(`Passwords are off, and ${name} is the only provider, so nobody could sign in any more.`)
const setInEnvironment = () =>
  conflict('BECKON_LOCAL_SIGN_IN sets this in the environment of the server; change it there.')
const notTried = () =>
  conflict('Sign in through a provider first, so that it is certain that you can. Nothing changed.')
