/** @jsxImportSource preact */

import type { Failure } from '../../platform/failure.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import type { ProblemBody } from '../feeds/problem.ts'
import { pageHref, pagePaths } from '../page-paths.ts'
import { CatalogLayout } from './layout.tsx'
import { HTML, PAGE_HEADERS, pageText } from './render.ts'
import { toolName } from './words.ts'

/** A problem as a page: what happened, and where to go. */
export function problemPage(snapshot: CatalogSnapshot, problem: Failure): ProblemBody {
  const { title, status, message, members } = problem
  const other = members.replacement && snapshot.bySlug.get(members.replacement)
  // The replacement is a button here, so the sentence leaves out its address.
  const explanation = other
    ? message.replace(`: ${snapshot.baseUrl}${pageHref.tool(other.slug)}`, '.')
    : message
  const body = pageText(
    <CatalogLayout
      snapshot={snapshot}
      title={title}
      description={title}
      canonical={pagePaths.tools}
      hidden
    >
      <div class="lonely">
        <p class="number">{status}</p>
        <h1>{title}</h1>
        <p>{explanation}</p>
        <p class="ways-on">
          {other && (
            <a class="button primary" href={pageHref.tool(other.slug)}>
              <span>
                Go to <bdi>{toolName(other)}</bdi>
              </span>
            </a>
          )}
          <a class="button" href={pagePaths.tools}>
            All tools
          </a>
        </p>
      </div>
    </CatalogLayout>,
  )
  return { type: HTML, body, headers: PAGE_HEADERS }
}
