import type { Tx } from '../../platform/db/database.ts'
import { chargeToken, type Limited, openedCharge, USUAL } from '../accounts/charge-token.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { GRANT_WORDS, type Grant } from '../grants/model/grant.ts'
import { spendGrant, unspendGrant } from '../grants/model/store.ts'
import type { Decided } from '../policy/decide-by-rule.ts'
import { type PlanDeps, planQuestion } from '../policy/plan-question.ts'
import type { Follow } from '../questions/end-question.ts'
import {
  type AskDraft,
  type ByRule,
  holderWords,
  type Question,
  type QuestionCounts,
  questionBytes,
} from '../questions/model/question.ts'
import { insertQuestion } from '../questions/model/store.ts'
import { namesOf } from '../questions/model/vote-hint.ts'
import { questionSighting } from '../questions/question-sighting.ts'
import { seeSession } from '../sessions/see-session.ts'

type Deps = PlanDeps & { counts?: QuestionCounts; limited?: Limited; onDecided?: Follow }

/** `known`: its key belongs to an earlier question, which then counts. */
type Stored = 'stored' | 'known'

/**
 * Stores an approval that a rule decided, as a question answered at the moment it was asked: it is
 * in the activity and the audit trail, and nothing is sent.
 */
export function answerByRule(
  deps: Deps,
  draft: AskDraft,
  { decision, byRule }: Decided,
): Promise<Stored> {
  return storeAnswered(deps, draft, {
    value: decision === 'allow' ? 'yes' : 'no',
    answeredAs: `the rule for ${byRule.words}`,
    detail: { byRule },
  })
}

/** The result of `answerByGrant`. `gone`: the grant was over before it could be used. */
export type GrantUse = { is: 'gone' | 'known' } | { is: 'stored'; byGrant: ByRule }

/** As `answerByRule`, by a grant of a person; counts the use in the same transaction. */
export async function answerByGrant(deps: Deps, draft: AskDraft, grant: Grant): Promise<GrantUse> {
  const byGrant = await wordsOf(deps, grant)
  const answer = {
    value: 'yes',
    answeredAs: `${byGrant.words} (${grant.id})`,
    detail: { byGrant },
  } as const
  const stored = await storeAnswered(deps, draft, answer, {
    spend: (tx) => spendGrant(tx, grant.id, draft.createdAt),
    unspend: (tx) => unspendGrant(tx, grant),
  })
  return stored === 'stored' ? { is: stored, byGrant } : { is: stored }
}

/**
 * As `answerByRule`, by a person's yes to another question about the same call: whoever said it is
 * who said this.
 */
export async function answerByYes(deps: Deps, draft: AskDraft, yes: Question): Promise<Stored> {
  const { id, answeredBy, answeredAs, answeredOn } = yes
  const person = answeredBy === undefined ? undefined : await findPerson(deps.db.read, answeredBy)
  const { votedBy = [] } = yes.requirement ? yes.detail : {}
  const voters = votedBy.length > 0 ? namesOf(votedBy) : undefined
  const name =
    voters ?? person?.name ?? answeredAs ?? (answeredOn ? holderWords(answeredOn) : 'Somebody')
  return await storeAnswered(deps, draft, {
    ...{ value: 'yes', answeredBy, answeredAs, answeredOn },
    detail: { byYes: { id, words: `${name}’s yes to this call at its client` } },
  })
}

async function wordsOf({ db }: Deps, { id, personId, length, action }: Grant): Promise<ByRule> {
  const name = (await findPerson(db.read, personId))?.name ?? 'Somebody'
  const what = length === 'session_words' ? `for ${action} in this session` : GRANT_WORDS[length]
  return { id, words: `${name}’s yes ${what}` }
}

type AutomaticAnswer = {
  value: 'yes' | 'no'
  detail: Pick<Question['detail'], 'byRule' | 'byGrant' | 'byYes'>
} & Pick<Question, 'answeredAs'> &
  Partial<Pick<Question, 'answeredBy' | 'answeredOn'>>

/**
 * Counts one use of what allows the call, and gives it back if the key belonged to an earlier
 * question.
 */
type Cost = { spend(tx: Tx): Promise<boolean>; unspend(tx: Tx): Promise<void> }

function storeAnswered(deps: Deps, draft: AskDraft, answer: AutomaticAnswer): Promise<Stored>
function storeAnswered(
  deps: Deps,
  draft: AskDraft,
  answer: AutomaticAnswer,
  cost: Cost,
): Promise<Stored | 'gone'>
async function storeAnswered(
  deps: Deps,
  draft: AskDraft,
  { detail, ...answer }: AutomaticAnswer,
  cost?: Cost,
): Promise<Stored | 'gone'> {
  const { question: planned } = await planQuestion(deps, draft, {})
  const question: Question = {
    ...planned,
    status: 'answered',
    ...answer,
    // The votes are those on the question that was answered, and count there.
    ...(detail.byYes && { requirement: undefined }),
    endedAt: draft.createdAt,
    detail: { ...draft.detail, ...detail },
    // What a rule declines would be declined all the same.
    watched: detail.byRule && answer.value === 'no' ? undefined : planned.watched,
  }
  const sighting = questionSighting(question)
  const stored = await deps.db.write(async (tx) => {
    if (cost && !(await cost.spend(tx))) return 'gone'
    const bytes = questionBytes(question)
    if (!(await insertQuestion(tx, question, bytes))) {
      await cost?.unspend(tx)
      return 'known'
    }
    await chargeToken(tx, deps.limited ?? USUAL, openedCharge(question, bytes))
    if (sighting) await seeSession(tx, sighting)
    await deps.onDecided?.(tx, { question, at: draft.createdAt })
    tx.emit('question', question.id)
    return 'stored'
  })
  if (stored !== 'stored') return stored
  deps.counts?.opened(question)
  deps.counts?.ended('answered')
  return stored
}
