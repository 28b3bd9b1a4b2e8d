import { CHECKS, LADDERS, type Proposal, proposeScores } from '../checks/propose.ts'
import type { ChecksDocument, ToolChecksDocument } from '../records/checks-document.ts'
import type { ToolDetail } from '../records/tool.ts'
import type { BuiltDocument, FeedModule } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { changesByTool } from './changes-by-tool.ts'
import { JSON_TYPE, jsonDocument } from './json-document.ts'
import { feedMeta } from './meta.ts'

/** What checks saw, and what they are. The documents of the specification have no place for it. */
export const CHECK_FEEDS: FeedModule = {
  *build(snapshot) {
    yield jsonDocument('/api/v1/checks.json', checksDocument(snapshot))
    for (const tool of snapshot.tools) yield toolChecks(snapshot, tool)
  },
}

/** What the checks of each criterion show of a tool. */
export function proposalsOf(snapshot: CatalogSnapshot, tool: ToolDetail): Proposal[] {
  const changes = changesByTool(snapshot).get(tool.slug) ?? []
  const checked = { tool, changes, today: snapshot.today }
  return proposeScores(checked, snapshot.methodology.criteria)
}

function toolChecks(snapshot: CatalogSnapshot, tool: ToolDetail): BuiltDocument {
  const body = () => `${JSON.stringify(toolChecksDocument(snapshot, tool))}\n`
  return { path: `/api/v1/checks/${tool.slug}.json`, type: JSON_TYPE, body }
}

/** What checks saw of one tool. */
export function toolChecksDocument(
  snapshot: CatalogSnapshot,
  tool: ToolDetail,
): ToolChecksDocument {
  const rows = new Map(tool.breakdown.map((row) => [row.key, row]))
  const criteria = proposalsOf(snapshot, tool).map(
    ({ criterion, least, most, reason, results }) => ({
      criterion,
      proposed: least,
      proposedMost: most,
      proposedReason: reason,
      score: rows.get(criterion)?.score ?? null,
      scoreReason: rows.get(criterion)?.reason ?? '',
      checks: results.map(({ key, answer, summary, source, date }) => ({
        check: key,
        answer,
        summary,
        ...(source ? { source } : {}),
        ...(date ? { date } : {}),
      })),
    }),
  )
  return { meta: feedMeta(snapshot), slug: tool.slug, criteria }
}

function checksDocument(snapshot: CatalogSnapshot): ChecksDocument {
  return {
    meta: feedMeta(snapshot),
    checks: CHECKS.map(({ look: _, kinds, ...check }) => ({
      ...check,
      ...(kinds ? { kinds: [...kinds] } : {}),
    })),
    ladders: Object.entries(LADDERS).flatMap(([criterion, ladder]) =>
      ladder.map(([score, needs]) => ({ criterion, score, needs: [...needs] })),
    ),
  }
}
