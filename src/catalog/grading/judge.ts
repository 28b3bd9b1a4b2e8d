import type { AuthoredTool } from '../records/authored.ts'
import type { Criterion, Methodology } from '../records/methodology.ts'
import type { Judged } from './add-up.ts'

/**
 * Each criterion of the methodology for one tool: scored, pending, or not applicable. What nobody
 * wrote about is pending, never 0.
 */
export function judge({ criteria }: Methodology, tool: AuthoredTool): Judged[] {
  return criteria.map((criterion) => {
    const { key, name, weight } = criterion
    return { key, name, weight, ...judged(criterion, tool) }
  })
}

function judged(
  { key, kinds }: Criterion,
  tool: AuthoredTool,
): Omit<Judged, 'key' | 'name' | 'weight'> {
  if (kinds && !kinds.includes(tool.kind)) {
    const reason = `It does not apply to the kind ${tool.kind}.`
    return { score: null, state: 'not-applicable', reason }
  }
  const said = tool.scores?.[key]
  if (said === undefined)
    return { score: null, state: 'pending', reason: 'It is not assessed yet.' }
  const { score = null, state, reason, ...shown } = said
  if (state !== undefined) return { score: null, state, reason, ...shown }
  return { score, state: score === null ? 'pending' : 'scored', reason, ...shown }
}
