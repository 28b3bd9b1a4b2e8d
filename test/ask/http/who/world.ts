import { eq } from 'drizzle-orm'
import { session } from '../../../../src/ask/accounts/model/auth-tables.ts'
import type { WorkspaceId } from '../../../../src/ask/accounts/model/ids.ts'
import type { Person } from '../../../../src/ask/accounts/model/person.ts'
import {
  insertPerson,
  putOff,
  putPassword,
} from '../../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../../src/ask/accounts/model/table.ts'
import { homeWorkspace, putVisibility } from '../../../../src/ask/accounts/model/workspace-store.ts'
import type { Provider } from '../../../../src/ask/company/model/provider.ts'
import { addProvider } from '../../../../src/ask/company/model/provider-store.ts'
import { makeDirectory } from '../../../../src/ask/directory/directories.ts'
import { insertGroup, putGroupMembers } from '../../../../src/ask/groups/model/store.ts'
import { makePolicyToken } from '../../../../src/ask/policy-file/policy-tokens.ts'
import { createToken, revokeToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { type Log, silentLog } from '../../../../src/platform/log.ts'
import { passwordHash, signInAs } from '../../../support/sign-in.ts'
import { startedApp } from '../../../support/started-app.ts'
import { thingsOf } from '../../../support/things.ts'

/** Everyone who may knock, and what they have in hand; things belong to the workspace `home`. */
export const CALLERS = [
  'nobody',
  'agent',
  'test',
  /** An agent of the other workspace. */
  'elsewhere',
  'revoked',
  'expired',
  /** In a group with the owner, whose the things are: members see what their groups ask. */
  'member',
  /** A member who is in no group. */
  'outsider',
  'owner',
  'stranger',
  'auditor',
  /** An owner whose sign-in should have been renewed, while its provider cannot be reached. */
  'unproven',
  /** A directory, with the token that is for its own address alone. */
  'directory',
  /** Whoever applies the policy file, with a token that is for nothing else. */
  'policy',
  /** As `policy`, with a token that may not apply it. */
  'policyReader',
  /** Whoever was switched off; the sign-in is still there. */
  'off',
  'removed',
] as const
export type As = (typeof CALLERS)[number]

export type WhoWorld = Awaited<ReturnType<typeof whoWorld>>

const HOME = 'ws_home' as WorkspaceId
const OTHER = 'ws_other' as WorkspaceId

/** A provider that nobody reaches, so that overdue sign-ins are excused. */
const AWAY = {
  ...{ id: 'away', name: 'Away', issuer: 'https://away.invalid', clientId: 'beckon', secret: 'x' },
  ...{ clientAuth: 'basic', scopes: [], groupsClaim: '', domains: [], requiredGroups: [] },
  ...{ ownerGroups: [], groups: [], joins: false, links: false, hours: 12, isFixed: false },
} satisfies Omit<Provider, 'workspaceId'>

/** The whole server with two workspaces, and ways to make the things that routes are about. */
export async function whoWorld(env: Record<string, string> = {}, log: Log = silentLog) {
  // Behind a proxy that says another address each time: what is counted by address is tried elsewhere.
  const started = await startedApp({ log, env: { BECKON_TRUST_PROXY: 'loopback', ...env } })
  const { app } = started
  const { db } = app
  const now = clock.now()
  const home = await db.write(async (tx) => {
    const id = await homeWorkspace(tx, HOME, now)
    await tx.insert(workspaces).values({ id: OTHER, name: 'other', createdAt: now })
    return id
  })
  const group = {
    id: 'group_who',
    workspaceId: home,
    name: 'who',
    source: 'hand',
    externalId: undefined,
    createdAt: now,
  } as const
  const person = (id: string, workspaceId: WorkspaceId, role: Person['role']): Person => ({
    id,
    name: id,
    email: `${id}@example.org`,
    workspaceId,
    role,
  })
  const people = {
    owner: person('owner', home, 'owner'),
    member: person('member', home, 'member'),
    outsider: person('outsider', home, 'member'),
    expired: person('expired', home, 'owner'),
    stranger: person('stranger', OTHER, 'owner'),
    auditor: person('auditor', home, 'auditor'),
    unproven: person('unproven', home, 'owner'),
    off: person('off', home, 'owner'),
    removed: person('removed', home, 'owner'),
  }
  const hash = await passwordHash()
  await db.write(async (tx) => {
    for (const somebody of Object.values(people)) {
      await insertPerson(tx, somebody, now)
      await putPassword(tx, { id: somebody.id, personId: somebody.id, hash }, now)
    }
    await insertGroup(tx, group)
    await putGroupMembers(tx, group, 'hand', [people.owner.id, people.member.id])
    await putVisibility(tx, home, 'group')
  })
  const key = async (name: string, test = false, workspaceId: WorkspaceId = home) =>
    createToken(
      { db, clock },
      { workspaceId, name, test, by: workspaceId === home ? 'owner' : 'stranger' },
    )
  const [agent, test, revoked] = [await key('a'), await key('b', true), await key('c')]
  const elsewhere = await key('d', false, OTHER)
  await revokeToken({ db, clock }, { id: revoked.record.id })
  const directory = await makeDirectory({ db, clock }, people.owner, 'Acme')
  const policy = await makePolicyToken({ db, clock }, people.owner, { name: 'ci', may: 'write' })
  const reader = await makePolicyToken({ db, clock }, people.owner, { name: 'lint', may: 'read' })
  await db.write((tx) => addProvider(tx, { ...AWAY, workspaceId: OTHER }, now))
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  async function cookie(who: keyof typeof people): Promise<Record<string, string>> {
    return { cookie: await signInAs(app, people[who].id), origin: app.url }
  }

  let caller = 0
  function send(method: string, path: string, { headers = {}, body }: Sent = {}) {
    caller++
    const from = `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`
    return fetch(app.url + path, {
      method,
      redirect: 'manual',
      headers: { 'x-forwarded-for': from, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  }

  const expired = await cookie('expired')
  await db.write((tx) =>
    tx
      .update(session)
      .set({ expiresAt: new Date(1) })
      .where(eq(session.userId, 'expired')),
  )
  const headers: Record<As, Record<string, string>> = {
    nobody: {},
    agent: bearer(agent.token),
    test: bearer(test.token),
    elsewhere: bearer(elsewhere.token),
    revoked: bearer(revoked.token),
    expired,
    member: {},
    outsider: {},
    owner: {},
    stranger: {},
    auditor: {},
    unproven: {},
    directory: bearer(directory.token),
    policy: bearer(policy),
    policyReader: bearer(reader),
    off: await cookie('off'),
    removed: await cookie('removed'),
  }
  async function signIn() {
    for (const who of ['member', 'outsider', 'owner', 'stranger', 'auditor', 'unproven'] as const)
      headers[who] = await cookie(who)
    const ofUnproven = eq(session.userId, 'unproven')
    const overdue = { provider: AWAY.id, provenUntil: new Date(clock.now() - 60_000) }
    await db.write((tx) => tx.update(session).set(overdue).where(ofUnproven))
  }
  await signIn()
  await db.write((tx) => putOff(tx, { workspaceId: home, personId: 'off' }, now))
  const removal = { headers: { ...headers.owner, ...FORM }, body: '' }
  await send('POST', '/settings/people/removed/remove', removal)

  return {
    app,
    workspaceId: home,
    dataFolder: started.dataFolder,
    send,
    /** Everyone anew, after something that ends sessions. */
    signIn,
    headersOf: (as: As) => headers[as],
    ...thingsOf(app, people.owner, agent.record.id),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

type Sent = { headers?: Record<string, string>; body?: string }

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
