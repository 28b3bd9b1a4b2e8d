import type { Person } from '../../src/ask/accounts/model/person.ts'
import { readSessions } from '../../src/ask/presence/read-sessions.ts'
import { collectInstruction } from '../../src/ask/turns/collect-instruction.ts'
import { instructSession } from '../../src/ask/turns/instruct.ts'
import { listInstructions } from '../../src/ask/turns/model/instruction-store.ts'
import { findTurn } from '../../src/ask/turns/model/turn-store.ts'
import { reportTurn } from '../../src/ask/turns/report-turn.ts'
import type { SendNotificationInput } from '../../src/ask/wire/notification-fields.ts'
import type { TurnReport } from '../../src/ask/wire/turn-fields.ts'
import { omitUndefined } from '../../src/platform/json.ts'
import { flowWorld } from './flow-world.ts'

const MINUTE = 60_000
const ENDED: TurnReport = {
  event: 'ended',
  sessionId: 's1',
  machineId: 'm1',
  agentName: 'Claude Code - shop-api',
  outcome: 'finished',
  lastWords: 'Tests are green.',
  durationMs: 12 * MINUTE,
  filesChanged: 3,
  idleMs: 10 * MINUTE,
}

type MoreOfReport = { [Name in keyof TurnReport]?: TurnReport[Name] | undefined }

/** A server to which hooks report turns, and a person who says what comes next. */
export async function turnWorld() {
  const world = await flowWorld()
  const notifications: SendNotificationInput[] = []
  const { workspaceId } = world.call().caller
  const deps = {
    ...world.deps,
    baseUrl: 'https://beckon.example',
    closing: new AbortController().signal,
    tell: async (input: SendNotificationInput) => void notifications.push(input),
  }
  const person = { id: 'per_ann', name: 'Ann', email: '', workspaceId, role: 'owner' } as Person
  const session = async () => {
    const [seen] = await readSessions(deps, { workspaceId })
    if (!seen) throw new Error('no session')
    return seen.session
  }
  return {
    ...world,
    ...{ notifications, deps, person, session },
    report: (more: MoreOfReport = {}, client = 'claude', call = world.call()) =>
      reportTurn(deps, omitUndefined({ ...ENDED, ...more, client }), call),
    say: async (text: string, more: { confirmed?: boolean; person?: Person } = {}) =>
      instructSession(deps, more.person ?? person, (await session()).id, { text, ...more }),
    collect: (more: object = {}, call = world.call()) =>
      collectInstruction(deps, { machineId: 'm1', sessionIds: ['s1'], ...more }, call),
    list: async () => {
      const list = await listInstructions(world.db.read, { workspaceId }, (await session()).id, 10)
      return list.map(({ text, state }) => [text, state])
    },
    turn: async () => findTurn(world.db.read, workspaceId, (await session()).id),
  }
}
