import { callBack } from '../../src/ask/callbacks/queue-callback.ts'
import { announceOutcome } from '../../src/ask/delivery/question-message.ts'
import { noteYes } from '../../src/ask/gates/note-yes.ts'
import { settleScope } from '../../src/ask/proposals/settle-scope.ts'
import { type OnEnded, onlyFor } from '../../src/ask/questions/end-question.ts'
import { concernsScope } from '../../src/ask/questions/model/question.ts'

/** What follows from the end of a question in the whole server. */
export function onEnded(sender: Parameters<typeof announceOutcome>[0]): OnEnded[] {
  return [onlyFor(concernsScope, settleScope), noteYes, callBack, announceOutcome(sender)]
}
