/** @jsxImportSource preact */

import { MarkedCommand } from '../../pages/marked.tsx'
import type { Question } from '../../questions/model/question.ts'

/** Lists exactly the permissions of "Approve for this session" besides this one call. */
export function SessionAllowsList({ question }: { question: Question }) {
  return (
    <div class="session-allows">
      <p>
        {question.status === 'pending'
          ? 'Approving for this session also allows, without asking:'
          : 'Until the session ends it may also, without asking:'}
      </p>
      <ul class="paths">
        {question.detail.sessionAllows?.map((line) => (
          <li>
            <code>
              <MarkedCommand text={line} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The third button of an approval; shown only below `SessionAllowsList`. */
export function SessionButton() {
  return (
    <button type="submit" name="session" value="yes" class="big plain whole">
      Approve for this session
    </button>
  )
}
