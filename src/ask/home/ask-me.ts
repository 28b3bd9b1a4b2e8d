import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { AgentToken } from '../accounts/model/agent.ts'
import type { Person } from '../accounts/model/person.ts'
import { listLiveTokens } from '../accounts/model/token-store.ts'
import { type OpenQuestionDeps, openQuestion } from '../asking/open-question.ts'
import { findNewestOf } from '../questions/model/first-answer-store.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import { listSubscribers } from '../subscribers/model/store.ts'
import { createToken } from '../tokens/agent-tokens.ts'

export type AskMeDeps = OpenQuestionDeps & { clock: Clock }

/** The token of the questions that people ask themselves; nobody has its secret. */
const TOKEN_NAME = 'Ask me something now'
// Without a target a question rings for everybody; this one is for the person alone.
const NO_DEVICE = 'none'
const TOKENS_MAX = 1_000

/** Finds the token of a person's own questions. */
async function findOwnToken(db: Db, person: Person): Promise<AgentToken | undefined> {
  const of = { workspaceId: person.workspaceId, createdBy: person.id }
  const tokens = await listLiveTokens(db.read, of, { offset: 0, limit: TOKENS_MAX })
  return tokens.find(({ name, lastUsedAt }) => name === TOKEN_NAME && lastUsedAt === null)
}

/** The last question that the person asked themselves, as it is stored. */
export async function findOwnQuestion(db: Db, person: Person): Promise<Question | undefined> {
  const token = await findOwnToken(db, person)
  return token && findNewestOf(db.read, token.id)
}

/**
 * Asks the person a question in the ordinary way, on their own devices alone. Does nothing while the
 * last one is open. Throws what `openQuestion` throws.
 */
export async function askMe(deps: AskMeDeps, person: Person) {
  const { db, clock } = deps
  const arrivedAt = clock.now()
  const last = await findOwnQuestion(db, person)
  if (last && statusAt(last, arrivedAt) === 'pending') return
  const { workspaceId, id: by } = person
  const token =
    (await findOwnToken(db, person)) ??
    (await createToken(deps, { workspaceId, name: TOKEN_NAME, by })).record
  const devices = await listSubscribers(db.read, workspaceId)
  const own = devices.filter(({ personId }) => personId === by).map(({ id }) => id)
  const draft = readAsk(
    {
      question: 'Does this question reach you?',
      context: `${person.name} pressed “Ask me something now”. Agents ask in the same way.`,
      agentName: 'Beckon',
      subscriberIds: own.length > 0 ? own : [NO_DEVICE],
    },
    {
      tokenId: token.id,
      tokenName: token.name,
      workspaceId,
      test: false,
      client: undefined,
      testConnection: false,
      arrivedAt,
    },
  )
  await openQuestion(deps, draft, { timeoutMs: undefined })
}
