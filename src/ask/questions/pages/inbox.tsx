/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Empty } from '../../../platform/web/empty.tsx'
import { html } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { questionsToShow } from './open-questions.ts'
import { QuestionList, TheRest } from './question-list.tsx'

type Deps = { db: Db; clock: Clock }

/** `/inbox`: every open question, the nearest deadline first, to be answered in place. */
export async function showInbox(deps: Deps, visit: SignedIn): Promise<Response> {
  const { open, shown, total } = await questionsToShow(deps, visit)
  return html(
    <Layout visit={visit} title="Inbox" section="inbox">
      <div class="page-head">
        <h1>Inbox</h1>
        <p class="sub" id="inbox-count" data-live="whole" data-version={total}>
          {countOf(total)}
        </p>
      </div>
      <QuestionList questions={shown} from="inbox" moment={visit.moment}>
        <Empty icon="inbox" title="Nobody is waiting for you">
          Questions from your agents appear here the moment they are asked.{' '}
          <a href={paths.activity}>See what happened last</a>
        </Empty>
      </QuestionList>
      <TheRest shown={open.length} total={total} />
    </Layout>,
  )
}

function countOf(open: number): string {
  if (open === 0) return 'No open questions'
  return open === 1 ? 'One open question' : `${open} open questions, the nearest deadline first`
}
