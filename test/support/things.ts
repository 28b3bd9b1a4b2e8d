import type { App } from '../../src/app.ts'
import type { TokenId } from '../../src/ask/accounts/model/ids.ts'
import type { Person } from '../../src/ask/accounts/model/person.ts'
import { insertPerson } from '../../src/ask/accounts/model/person-store.ts'
import { callbackOf } from '../../src/ask/callbacks/model/callback.ts'
import { insertCallback } from '../../src/ask/callbacks/model/store.ts'
import { type LinkPurpose, linkToken } from '../../src/ask/delivery/model/links.ts'
import { saveGate } from '../../src/ask/gates/model/store.ts'
import { newGrant } from '../../src/ask/grants/model/grant.ts'
import { insertGrant } from '../../src/ask/grants/model/store.ts'
import { insertGroup, listGroups } from '../../src/ask/groups/model/store.ts'
import { insertNotification } from '../../src/ask/notifications/model/store.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { insertQuestion } from '../../src/ask/questions/model/store.ts'
import { insertRota } from '../../src/ask/rota/model/store.ts'
import { sightSession } from '../../src/ask/sessions/model/store.ts'
import { beginPairing } from '../../src/ask/sign-in/pair-device.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { sightTurn } from '../../src/ask/turns/model/turn-store.ts'
import { WINDOW_MS } from '../../src/ask/wire/limits.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { aDevice, connect } from './devices.ts'
import { aGate } from './gate-world.ts'
import { aNotification, aQuestion } from './question.ts'

export type Things = ReturnType<typeof thingsOf>

/** Makes the things that routes are about, a new one at each call; what one person owns is `owner`'s. */
export function thingsOf({ db, secrets }: App, owner: Person, tokenId: TokenId) {
  const { workspaceId } = owner
  async function question(changes: Partial<Question> = {}) {
    const now = clock.now()
    const id = newId('q', now)
    const times = { createdAt: now, expiresAt: now + WINDOW_MS, waitEndsAt: now + 45_000 }
    const question = aQuestion('', {
      workspaceId,
      tokenId,
      ...times,
      ...changes,
      id,
    })
    await db.write((tx) => insertQuestion(tx, question))
    return question
  }
  let colleagues = 0
  async function device() {
    const [device] = await connect(db, aDevice({ workspaceId, personId: owner.id }))
    if (!device) throw new Error('no device')
    return device.id
  }
  return {
    async colleague() {
      const id = `colleague-${++colleagues}`
      const email = `${id}@example.org`
      const role = 'member' as const
      const person = { id, name: id, email, workspaceId, role }
      await db.write((tx) => insertPerson(tx, person, clock.now()))
      return id
    },
    question: async () => (await question()).id,
    endedQuestion: async () => (await question({ status: 'cancelled', endedAt: clock.now() })).id,
    device,
    async notification() {
      const now = clock.now()
      const of = { workspaceId, tokenId, createdAt: now, id: newId('n', now) }
      const notification = aNotification('', of)
      await db.write((tx) => insertNotification(tx, notification))
      return notification.id
    },
    async session() {
      const at = clock.now()
      const id = newId('ses', at)
      const where = { machineId: 'm', sessionId: id, agentName: 'A', client: undefined }
      const what = { repoKey: undefined, lastAction: 'npm test', errored: false }
      await db.write((tx) => sightSession(tx, { ...where, ...what, workspaceId, tokenId, id, at }))
      return id
    },
    /** A session whose turn has ended. */
    async turn() {
      const id = await this.session()
      const of = { id, workspaceId, machineId: 'm', sessionId: id, tokenId, client: 'claude' }
      const now = { state: 'finished', seenAt: clock.now(), isNew: true, typed: false } as const
      await db.write((tx) => sightTurn(tx, { ...of, ...now }, 0))
      return id
    },
    async token() {
      const created = await createToken({ db, clock }, { workspaceId, name: 't', by: owner.id })
      return created.record.id
    },
    async rule() {
      const rule = { match: { toolName: 'Bash' }, set: { waitMs: 2_000 } }
      return (await addRule({ db, clock }, workspaceId, rule)).id
    },
    async gate() {
      const name = `gate-${newId('gate', clock.now())}`
      const gate = aGate({ id: newId('gate', clock.now()), workspaceId, name })
      return (await db.write((tx) => saveGate(tx, gate))).id
    },
    async group() {
      // Lists of groups are in the order of their names, which some tests change.
      const groups = await listGroups(db.read, workspaceId)
      // Not the one by which a member sees things.
      const existing = groups.find(({ name }) => name !== 'who')
      if (existing) return existing.id
      const id = newId('group', clock.now())
      const of = { id, workspaceId, name: id, source: 'hand', createdAt: clock.now() } as const
      await db.write((tx) => insertGroup(tx, { ...of, externalId: undefined }))
      return id
    },
    async rota() {
      const id = newId('rota', clock.now())
      const schedule = { startsOn: '2026-01-01', at: '09:00', everyDays: 7, people: [owner.id] }
      const of = { id, workspaceId, name: id, zone: 'UTC', source: 'hand' } as const
      await db.write((tx) => insertRota(tx, { ...of, schedule, createdAt: clock.now() }))
      return id
    },
    async grant() {
      const base = await question({
        sessionId: 's1',
        detail: {
          toolName: 'Bash',
          action: 'npm test',
          exact: { argumentsHash: 'a'.repeat(64), arguments: 'command', cwd: '/home/u' },
        },
      })
      const now = clock.now()
      const id = newId('grant', now)
      const row = newGrant(base, { id, length: 'session' }, owner.id, now)
      await db.write((tx) => insertGrant(tx, row))
      return id
    },
    async callback() {
      const now = clock.now()
      const callbackUrl = 'https://127.0.0.1:9/'
      const ended = await question({ status: 'answered', value: 'yes', endedAt: now, callbackUrl })
      const row = callbackOf(ended, callbackUrl, newId('cb', now), now)
      await db.write((tx) => insertCallback(tx, { ...row, state: 'lapsed', endedAt: now }))
      return row.id
    },
    pairing: async () => (await beginPairing({ db, clock }, owner)).id,
    pairingCode: async () => (await beginPairing({ db, clock }, owner)).code,
    async link(purpose: LinkPurpose = 'page') {
      const about = { questionId: (await question()).id, subscriberId: await device() }
      return linkToken(secrets.quickAnswerSecret, { ...about, purpose })
    },
  }
}
