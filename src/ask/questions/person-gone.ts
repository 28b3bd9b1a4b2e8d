import { counted, type PersonGone } from '../accounts/model/person-gone.ts'
import { listLiveTokens } from '../accounts/model/token-store.ts'
import { type EndQuestionDeps, endIn } from './end-question.ts'
import { endGrantsOf } from './grants.ts'
import { dropSnoozesOf, dropTurnsOf, listOpenOf } from './model/gone-store.ts'
import { listGrants } from './model/grant-store.ts'

type Deps = Pick<EndQuestionDeps, 'onEnded' | 'counts'>

const HISTORY = { stays: 'who decided is a part of what was decided' }

/** What their agents ask is withdrawn, and what they allowed for a while is over. */
export function questionsOfGone(deps: Deps): PersonGone {
  return {
    columns: {
      'questions.answered_by': HISTORY,
      'questions.answered_on': HISTORY,
      'late_answers.answered_by': HISTORY,
      'late_answers.answered_on': HISTORY,
      'failovers.people': { stays: 'only with questions that have ended' },
      'failovers.told': { stays: 'who was told, and when' },
      'grants.person_id': { stays: 'who gave a grant that is over' },
      'snoozes.person_id': 'nothing',
    },
    async end(tx, removal) {
      const { workspaceId, personId, personName, at, revoked } = removal
      await endGrantsOf(tx, removal)
      await dropSnoozesOf(tx, personId)
      await dropTurnsOf(tx, removal)
      const endReason = `${personName} was removed, and the token that asked was theirs.`
      const afterwards: Array<() => void> = []
      for (const id of await listOpenOf(tx, workspaceId, revoked)) {
        const of = { workspaceId, id, at, ending: { endReason } }
        const ended = await endIn(tx, deps, 'cancel', of)
        if (ended) afterwards.push(ended.after)
      }
      return () => {
        for (const after of afterwards) after()
      }
    },
    async list(read, { workspaceId, personId }, now) {
      const live = await listLiveTokens(read, { workspaceId, createdBy: personId }, ALL)
      const open = await listOpenOf(
        read,
        workspaceId,
        live.map(({ id }) => id),
      )
      const grants = await listGrants(read, workspaceId, now)
      const given = grants.filter((grant) => grant.personId === personId).length
      return [
        ...(open.length > 0
          ? [`${counted(open.length, 'open question')}, unless the token is handed over.`]
          : []),
        ...(given > 0 ? [`${counted(given, 'call')} that was allowed for a while.`] : []),
      ]
    },
  }
}

const ALL = { offset: 0, limit: 10_000 }
