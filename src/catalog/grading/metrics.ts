import type { AuthoredTool } from '../records/authored.ts'
import type { CatalogBlock } from '../records/grading.ts'
import type { Live } from '../records/live.ts'
import type { Methodology } from '../records/methodology.ts'

/** The measured metrics of a tool, and whether a gate considered each of them. */
export function metricsOf(
  methodology: Methodology,
  tool: AuthoredTool,
  live: Live | undefined,
): CatalogBlock['metrics'] {
  return { kind: kindOf(tool), measured: isMeasured(methodology, live) }
}

/** True if there are enough probes for a gate. */
function isMeasured({ gates }: Methodology, live: Live | undefined): boolean {
  const probe = live?.probe
  if (!probe || probe.uptime30d === null) return false
  return gates.some(({ below, samples = 1 }) => below !== undefined && probe.samples30d >= samples)
}

/** The mean of ratings to one decimal, half up; null without any. */
export function averageRating(ratings: readonly number[]): number | null {
  if (ratings.length === 0) return null
  // Hundredths, since ratings may have decimals.
  const hundredths = ratings.reduce((sum, rating) => sum + Math.round(rating * 100), 0)
  return Math.floor((hundredths + 5 * ratings.length) / (10 * ratings.length)) / 10
}

function kindOf({ remoteUrl, transports = [], packages = [] }: AuthoredTool): string {
  if (remoteUrl !== undefined) return transports.includes('streamable-http') ? 'mcp' : 'endpoint'
  return packages.length > 0 ? 'package' : 'none'
}
