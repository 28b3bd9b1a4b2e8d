import { eq } from 'drizzle-orm'
import type { App } from '../../../../src/app.ts'
import { session } from '../../../../src/ask/accounts/model/auth-tables.ts'
import type { WorkspaceId } from '../../../../src/ask/accounts/model/ids.ts'
import type { Person } from '../../../../src/ask/accounts/model/person.ts'
import { insertPerson, putPassword } from '../../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../../src/ask/accounts/model/table.ts'
import { homeWorkspace } from '../../../../src/ask/accounts/model/workspace-store.ts'
import { callbackOf } from '../../../../src/ask/callbacks/model/callback.ts'
import { insertCallback } from '../../../../src/ask/callbacks/model/store.ts'
import { type LinkPurpose, linkToken } from '../../../../src/ask/delivery/model/links.ts'
import { newGrant } from '../../../../src/ask/grants/model/grant.ts'
import { insertGrant } from '../../../../src/ask/grants/model/store.ts'
import { insertNotification } from '../../../../src/ask/notifications/model/store.ts'
import { addRule } from '../../../../src/ask/policy/change-policy.ts'
import type { Question } from '../../../../src/ask/questions/model/question.ts'
import { insertQuestion } from '../../../../src/ask/questions/model/store.ts'
import { sightSession } from '../../../../src/ask/sessions/model/store.ts'
import { beginPairing } from '../../../../src/ask/sign-in/pair-device.ts'
import { createToken, revokeToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { WINDOW_MS } from '../../../../src/ask/wire/limits.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { newId } from '../../../../src/platform/ids.ts'
import { type Log, silentLog } from '../../../../src/platform/log.ts'
import { aDevice, connect } from '../../../support/devices.ts'
import { aNotification, aQuestion } from '../../../support/question.ts'
import { passwordHash, signInAs } from '../../../support/sign-in.ts'
import { startedApp } from '../../../support/started-app.ts'

/** Everyone who may knock, and what they have in hand; things belong to the workspace `home`. */
export const CALLERS = [
  'nobody',
  'agent',
  'test',
  /** An agent of the other workspace. */
  'elsewhere',
  'revoked',
  'expired',
  'member',
  'owner',
  'stranger',
] as const
export type As = (typeof CALLERS)[number]

export type WhoWorld = Awaited<ReturnType<typeof whoWorld>>

const HOME = 'ws_home' as WorkspaceId
const OTHER = 'ws_other' as WorkspaceId

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
    expired: person('expired', home, 'owner'),
    stranger: person('stranger', OTHER, 'owner'),
  }
  const hash = await passwordHash()
  await db.write(async (tx) => {
    for (const somebody of Object.values(people)) {
      await insertPerson(tx, somebody, now)
      await putPassword(tx, { id: somebody.id, personId: somebody.id, hash }, now)
    }
  })
  const key = async (name: string, test = false, workspaceId: WorkspaceId = home) =>
    createToken({ db, clock }, { workspaceId, name, test })
  const [agent, test, revoked] = [await key('a'), await key('b', true), await key('c')]
  const elsewhere = await key('d', false, OTHER)
  await revokeToken({ db, clock }, { id: revoked.record.id })
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
  const kept: Record<As, Record<string, string>> = {
    nobody: {},
    agent: bearer(agent.token),
    test: bearer(test.token),
    elsewhere: bearer(elsewhere.token),
    revoked: bearer(revoked.token),
    expired,
    member: {},
    owner: {},
    stranger: {},
  }
  async function signIn() {
    for (const who of ['member', 'owner', 'stranger'] as const) kept[who] = await cookie(who)
  }
  await signIn()

  return {
    app,
    dataFolder: started.dataFolder,
    send,
    /** Everyone anew, after something that ends sessions. */
    signIn,
    headersOf: (as: As) => kept[as],
    ...thingsOf(app, home, people.owner, agent.record.id),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

type Sent = { headers?: Record<string, string>; body?: string }

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** One new thing of the home workspace at a call; what one person owns is the owner's. */
function thingsOf({ db, secrets }: App, workspaceId: WorkspaceId, owner: Person, tokenId: string) {
  async function question(changes: Partial<Question> = {}) {
    const now = clock.now()
    const id = newId('q', now)
    const times = { createdAt: now, expiresAt: now + WINDOW_MS, waitEndsAt: now + 45_000 }
    const made = aQuestion('', {
      workspaceId,
      tokenId: tokenId as Question['tokenId'],
      ...times,
      ...changes,
      id,
    })
    await db.write((tx) => insertQuestion(tx, made))
    return made
  }
  let colleagues = 0
  async function device() {
    const [made] = await connect(db, aDevice({ workspaceId, personId: owner.id }))
    if (!made) throw new Error('no device')
    return made.id
  }
  return {
    async colleague() {
      const id = `colleague-${++colleagues}`
      const email = `${id}@example.org`
      const role = 'member' as const
      const made = { id, name: id, email, workspaceId, role }
      await db.write((tx) => insertPerson(tx, made, clock.now()))
      return id
    },
    question: async () => (await question()).id,
    endedQuestion: async () => (await question({ status: 'cancelled', endedAt: clock.now() })).id,
    device,
    async notification() {
      const now = clock.now()
      const made = aNotification('', { workspaceId, createdAt: now, id: newId('n', now) })
      await db.write((tx) => insertNotification(tx, made))
      return made.id
    },
    async session() {
      const at = clock.now()
      const id = newId('ses', at)
      const where = { machineId: 'm', sessionId: id, agentName: 'A', client: undefined }
      const what = { repoKey: undefined, lastAction: 'npm test', errored: false }
      await db.write((tx) => sightSession(tx, { ...where, ...what, workspaceId, id, at }))
      return id
    },
    async token() {
      const made = await createToken({ db, clock }, { workspaceId, name: 't', by: owner.id })
      return made.record.id
    },
    async rule() {
      const rule = { match: { toolName: 'Bash' }, set: { waitMs: 2_000 } }
      return (await addRule({ db, clock }, workspaceId, rule)).id
    },
    async grant() {
      const asked = await question({
        sessionId: 's1',
        detail: {
          toolName: 'Bash',
          action: 'npm test',
          exact: { argumentsHash: 'a'.repeat(64), arguments: 'command', cwd: '/home/u' },
        },
      })
      const now = clock.now()
      const id = newId('grant', now)
      const made = newGrant(asked, { id, length: 'session' }, owner.id, now)
      await db.write((tx) => insertGrant(tx, made))
      return id
    },
    async callback() {
      const now = clock.now()
      const callbackUrl = 'https://127.0.0.1:9/'
      const ended = await question({ status: 'answered', value: 'yes', endedAt: now, callbackUrl })
      const made = callbackOf(ended, callbackUrl, newId('cb', now), now)
      await db.write((tx) => insertCallback(tx, { ...made, state: 'lapsed', endedAt: now }))
      return made.id
    },
    pairing: async () => (await beginPairing({ db, clock }, owner)).id,
    pairingCode: async () => (await beginPairing({ db, clock }, owner)).code,
    async link(purpose: LinkPurpose = 'page') {
      const about = { questionId: (await question()).id, subscriberId: await device() }
      return linkToken(secrets.quickAnswerSecret, { ...about, purpose })
    },
  }
}
