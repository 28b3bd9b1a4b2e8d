/** @jsxImportSource preact */
import { Code } from '../../../platform/web/page-parts.tsx'
import { Prose } from '../../pages/marked.tsx'
import type { Question } from '../../questions/model/question.ts'
import type { NotificationContext } from '../../wire/notification-fields.ts'

/** The notification that a question came with, above the question. */
export function Notice({ question }: { question: Question }) {
  const { notice } = question.detail
  if (!notice) return null
  return (
    <section class="notice-of" aria-label="The notification it came with">
      <p class="notice-title" dir="auto">
        <Prose text={notice.title} />
      </p>
      <p class="summary" dir="auto">
        <Prose text={notice.body} />
      </p>
      {notice.context && <NoticeDetails context={notice.context} />}
    </section>
  )
}

/** What a notification says besides its title and body. */
export function NoticeDetails({ context }: { context: NotificationContext }) {
  const { summary, details, errorMessage, errorFile, filesChanged, nextSteps } = context
  return (
    <>
      {summary && (
        <p class="summary" dir="auto">
          {summary}
        </p>
      )}
      {errorMessage && <Code name="The error">{errorMessage}</Code>}
      {errorFile && (
        <p class="at-file">
          in <code dir="ltr">{errorFile}</code>
        </p>
      )}
      {details && details.length > 0 && <List name="Details" items={details} />}
      {filesChanged && filesChanged.length > 0 && (
        <List name="Files changed" items={filesChanged} code />
      )}
      {nextSteps && (
        <section class="part">
          <h2>Next</h2>
          <p dir="auto">{nextSteps}</p>
        </section>
      )}
    </>
  )
}

function List({ name, items, code }: { name: string; items: string[]; code?: true }) {
  return (
    <section class="part">
      <h2>{name}</h2>
      <ul class={code ? 'paths' : 'bullets'}>
        {items.map((item) => (
          <li dir={code ? 'ltr' : 'auto'}>{code ? <code>{item}</code> : item}</li>
        ))}
      </ul>
    </section>
  )
}
