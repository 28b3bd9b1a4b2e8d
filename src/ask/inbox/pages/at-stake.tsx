/** @jsxImportSource preact */
import { cutText } from '../../../platform/text.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { bodyWords } from '../../pages/change.ts'
import { MarkedCommand, SafeText } from '../../pages/marked.tsx'
import { isDeceptive } from '../../questions/model/message-parts.ts'
import type { Question, QuestionDetail } from '../../questions/model/question.ts'
import { openWords } from '../../questions/model/reading.ts'
import { isUnseen } from '../../questions/model/shown-whole.ts'
import { isCommand, questionTitle, wordsBesideTitle } from '../../questions/model/title.ts'
import { whyDangerous } from '../../wire/danger/destructive.ts'
import { argumentsLine, argumentsOf } from '../../wire/tool-arguments.ts'

/**
 * Shows the effect of a yes, in one line of a list: the command or how much is changed, and a
 * warning. If the title is the command, the words beside it; else the title of its notification.
 */
export function AtStake({ question }: { question: Question }) {
  const { detail } = question
  const why = whyDangerous(question)
  const hasTitle = questionTitle(question).isCommand
  const words = wordsBesideTitle(question) ?? detail.notice?.title
  const line = hasTitle ? undefined : lineOf(detail)
  const isMore = detail.actionBody !== undefined && !isOneLine(detail.actionBody)
  if (!(why || line || words || isMore)) return null
  return (
    <span class="at-stake">
      {why && (
        <span class="at-risk">
          <Icon name="warning" />
          <span class={line || words || isMore ? 'unseen' : 'one-line'}>{why}</span>
        </span>
      )}
      {words && (
        <span class="one-line" dir="auto">
          <SafeText text={words} />
        </span>
      )}
      {line && (
        <code>
          <MarkedCommand text={line} shell={isCommand(detail)} />
        </code>
      )}
      {isMore && <span class="count">{bodyWords(detail.actionBody ?? '')}</span>}
    </span>
  )
}

// More than a row of a wide screen shows.
const LINE_MAX = 160

function lineOf(detail: QuestionDetail): string | undefined {
  const { action, actionBody, toolName } = detail
  const values = argumentsOf(detail)
  if (values) return cutText(`${toolName} ${argumentsLine(values)}`.trim(), LINE_MAX)
  const line = action ?? (actionBody && isOneLine(actionBody) ? actionBody : undefined)
  return line && cutText(line.trim(), LINE_MAX)
}

function isOneLine(body: string): boolean {
  return !body.trim().includes('\n')
}

const DECEPTIVE =
  'It has letters that cannot be seen, or that look like others. They are marked with their names.'

/**
 * Why a yes needs a second look, and what of it is not known; nothing for a harmless question.
 * Whoever cannot say yes is not told that they will be asked to confirm it.
 */
export function DangerNote({ question, mayYes = true }: { question: Question; mayYes?: boolean }) {
  const why = whyDangerous(question)
  const open = openWords(question) ?? (isDeceptive(question) ? DECEPTIVE : undefined)
  const asksTwice = mayYes && question.type === 'confirm' && !isUnseen(question)
  return (
    <>
      {why !== undefined && (
        <p class="warn why">
          <Icon name="warning" />
          <span>
            {why} {asksTwice && 'You will be asked to confirm.'}
          </span>
        </p>
      )}
      {open !== undefined && (
        <p class="warn unknown">
          <Icon name="search" />
          <span>{open}</span>
        </p>
      )}
    </>
  )
}
