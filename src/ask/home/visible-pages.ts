import { Type } from '@sinclair/typebox'
import { isAuditor } from '../accounts/model/person.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import type { OpenPages } from '../subscribers/model/open-page-store.ts'

/** A name that a page makes up for itself when it is loaded. */
export const PageName = Type.String({ minLength: 1, maxLength: 64 })

type Deps = { openPages: OpenPages }

const postVisible = personRoute(
  {
    method: 'POST',
    path: '/visible-pages',
    unproven: true,
    reads: true,
    summary:
      'A page says that somebody can see it, every 20 seconds, or that it is hidden. While one is visible, a question to its person waits even if no device was reached.',
    input: Type.Object(
      { page: PageName, visible: Type.Boolean() },
      { additionalProperties: false },
    ),
  },
  async ({ openPages }: Deps, { person, input: { page, visible } }) => {
    // Nobody waits for an auditor.
    if (isAuditor(person)) return
    if (visible) await openPages.seen(person, page)
    else await openPages.gone(person.id, page)
  },
)

export function visiblePageRoutes(deps: Deps): Route[] {
  return withDeps(deps, [postVisible])
}
