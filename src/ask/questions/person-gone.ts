import type { Tx } from '../../platform/db/database.ts'
import { type Absence, counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { listLiveTokens } from '../accounts/model/token-store.ts'
import { type EndQuestionDeps, endIn } from './end-question.ts'
import { undoHeldAnswer } from './held-answer.ts'
import { dropSnoozesOf, listOpenOf } from './model/gone-store.ts'
import { listHeldBy } from './model/held-answer-store.ts'

type Deps = Pick<EndQuestionDeps, 'onEnded' | 'counts'>

const HISTORY = { stays: 'who decided is a part of what was decided' }

/** The questions of their agents are withdrawn, and what they snoozed is forgotten. */
export function questionsOfGone(deps: Deps): PersonGone {
  return {
    columns: {
      'questions.answered_by': HISTORY,
      'questions.answered_on': HISTORY,
      'questions.requirement': { stays: 'who could have decided is a part of what was asked' },
      'questions.watched': { stays: 'who would have had to agree is a part of what was asked' },
      'late_answers.answered_by': HISTORY,
      'late_answers.answered_on': HISTORY,
      'snoozes.person_id': 'nothing',
      'held_answers.person_id': 'nothing',
    },
    async end(tx, removal) {
      const { workspaceId, personId, personName, at, revoked } = removal
      await dropSnoozesOf(tx, personId)
      for (const held of await listHeldBy(tx, personId)) await undoHeldAnswer(tx, held, { at })
      const endReason = `${personName} was removed, and the token that asked was theirs.`
      return withdraw(tx, deps, { workspaceId, at, tokens: revoked, endReason })
    },
    async off(tx, { workspaceId, personId, personName, at, tokens, is }) {
      for (const held of await listHeldBy(tx, personId)) await undoHeldAnswer(tx, held, { at })
      const became = is === 'auditor' ? 'became an auditor' : 'was switched off'
      const endReason = `${personName} ${became}, and the token that asked is theirs.`
      return withdraw(tx, deps, { workspaceId, at, tokens, endReason })
    },
    async list(read, { workspaceId, personId }) {
      const live = await listLiveTokens(read, { workspaceId, createdBy: personId })
      const open = await listOpenOf(
        read,
        workspaceId,
        live.map(({ id }) => id),
      )
      return open.length > 0
        ? [`${counted(open.length, 'open question')}, unless the token is handed over.`]
        : []
    },
  }
}

type Withdrawal = Pick<Absence, 'workspaceId' | 'at' | 'tokens'> & { endReason: string }

/** Withdraws what these tokens have asked. */
async function withdraw(tx: Tx, deps: Deps, of: Withdrawal): Promise<() => void> {
  const { workspaceId, at, tokens, endReason } = of
  const afterwards: Array<() => void> = []
  for (const id of await listOpenOf(tx, workspaceId, tokens)) {
    const ended = await endIn(tx, deps, 'cancel', { workspaceId, id, at, ending: { endReason } })
    if (ended) afterwards.push(ended.after)
  }
  return () => {
    for (const after of afterwards) after()
  }
}
