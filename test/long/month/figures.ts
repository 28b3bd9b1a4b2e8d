/** A record as its feed has it; what the month looks at of it. */
export type Graded = {
  catalog: {
    grade: string
    score: number
    gates: { code: string; cap: string; reason: string }[]
    history: { grade: string; basis: string }[]
  }
  live: { probe: { uptime30d: number; samples30d: number } }
}

type Tally = ReadonlyMap<string, Readonly<Record<string, number>>>

type Month = {
  first: Tally
  second: Tally
  before: Graded
  after: Graded
  listing: { before: string; after: string }
  fetched: { requests: number; bytes: number }
  files: number
  unknown: readonly string[]
}

/** Says what the month came to, for whoever runs the test to see. */
export function figures({ first, second, before, after, ...rest }: Month): void {
  const gradeOf = ({ catalog, live }: Graded) => ({
    ...{ grade: catalog.grade, score: catalog.score },
    gates: catalog.gates.map(({ code, reason }) => `${code}: ${reason}`),
    history: catalog.history.map(({ grade, basis }) => `${grade} (${basis})`).join(', '),
    uptime30d: live.probe.uptime30d,
  })
  const requests = (day: Tally) => ({
    endpoint: day.get('mcp.vendor-3.example'),
    site: day.get('vendor-3.example'),
    most: Math.max(...[...day.values()].map((kinds) => sum(Object.values(kinds)))),
    all: sum([...day.values()].flatMap((kinds) => Object.values(kinds))),
  })
  const { listing, fetched, files, unknown } = rest
  const month = {
    requestsOnTheFirstDay: requests(first),
    requestsOnAnOrdinaryDay: requests(second),
    ...{ before: gradeOf(before), after: gradeOf(after), listing },
    mirror: { ...fetched, files: unknown.length, of: files },
  }
  console.log(JSON.stringify(month, null, 2))
}

function sum(all: readonly number[]): number {
  return all.reduce((a, b) => a + b, 0)
}
