import { expect } from 'bun:test'
import { ENDPOINTS, VENDORS } from './month-catalog.ts'

type Tally = ReadonlyMap<string, Readonly<Record<string, number>>>

/** What one address is asked in a day, beside rounds. */
const MOST: Record<string, number> = {
  // Every six hours.
  initialize: 4,
  'notifications/initialized': 4,
  'tools/list': 4,
  // Read once a day, and looked at once more at its end.
  '/robots.txt': 2,
  // Twice on the first day, so that two agree at once.
  ...{ '/pricing': 2, '/terms': 2, '/.well-known/security.txt': 1, '/llms.txt': 1 },
  // The certificate, twice a day.
  '/': 2,
}

/** No vendor of the test is asked more in a day, and none that has an endpoint is forgotten. */
export function expectPolite(day: Tally, rounds: number): void {
  const vendors = [...day].filter(([host]) => host.includes('vendor-'))
  expect(vendors).toHaveLength(VENDORS + ENDPOINTS)
  const tooMany = vendors.flatMap(([host, kinds]) =>
    Object.entries(kinds)
      .filter(([kind, count]) => count > (kind === 'ping' ? rounds : (MOST[kind] ?? 0)))
      .map(([kind, count]) => [host, kind, count]),
  )
  expect(tooMany).toEqual([])
  for (const [host, kinds] of vendors) {
    if (host.startsWith('mcp.')) expect(kinds.ping).toBeGreaterThanOrEqual(rounds - 2)
  }
}
