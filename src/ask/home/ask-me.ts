import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type AgentToken, isForOwnQuestions, OWN_QUESTIONS } from '../accounts/model/agent.ts'
import type { Person } from '../accounts/model/person.ts'
import { listLiveTokens } from '../accounts/model/token-store.ts'
import { type OpenQuestionDeps, openQuestion } from '../asking/open-question.ts'
import { findNewestOf } from '../questions/model/first-answer-store.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import { listOwnSubscribers } from '../subscribers/model/page-store.ts'
import { createToken } from '../tokens/agent-tokens.ts'

export type AskMeDeps = OpenQuestionDeps & { clock: Clock }

// Without a target a question rings for everybody; this one is for the person alone.
const NO_DEVICE = 'none'
/** Finds the token of a person's own questions among unrevoked ones. */
function ownTokenAmong(tokens: readonly AgentToken[], { id }: Person): AgentToken | undefined {
  return tokens.find((token) => token.createdBy === id && isForOwnQuestions(token))
}

/** The last question that the person asked themselves, as it is stored; `tokens` are unrevoked. */
export async function findOwnQuestion(
  db: Db,
  tokens: readonly AgentToken[],
  person: Person,
): Promise<Question | undefined> {
  const token = ownTokenAmong(tokens, person)
  return token && findNewestOf(db.read, token.id)
}

/**
 * Asks the person a question in the ordinary way, on their own devices alone. Does nothing while the
 * last one is open. Throws what `openQuestion` throws.
 */
export async function askMe(deps: AskMeDeps, person: Person) {
  const { db, clock } = deps
  const arrivedAt = clock.now()
  const { workspaceId, id: by } = person
  const tokens = await listLiveTokens(db.read, { workspaceId, createdBy: by })
  const last = await findOwnQuestion(db, tokens, person)
  if (last && statusAt(last, arrivedAt) === 'pending') return
  const token =
    ownTokenAmong(tokens, person) ??
    (await createToken(deps, { workspaceId, name: OWN_QUESTIONS, by })).record
  const devices = await listOwnSubscribers(db.read, { workspaceId, personId: by })
  const draft = readAsk(
    {
      question: 'Does this question reach you?',
      context: `${person.name} pressed “Ask me something now”. Agents ask in the same way.`,
      agentName: 'Beckon',
      subscriberIds: devices.length > 0 ? devices.map(({ id }) => id) : [NO_DEVICE],
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
