import type { Folder, FromFile, ReportProblem } from './folder.ts'

// Somewhere the next day has begun already.
const FIRST_ZONE_MS = 14 * 3_600_000

/** The latest day that has begun anywhere. */
export function latestDay(now: number): string {
  return new Date(now + FIRST_ZONE_MS).toISOString().slice(0, 10)
}

/** Checks that the day of everything that was read, judged or announced is not in the future. */
export function checkDays(folder: Folder, latest: string, report: ReportProblem): void {
  const { settings, removed, vendors, tools, reviews, changes, desk } = folder
  const checkAll = ({ parsed }: Pick<FromFile<unknown>, 'parsed'>, days: readonly Day[]) => {
    for (const [pointer, day] of days) {
      if (day === undefined || day <= latest) continue
      report(parsed, pointer, `a day that is not in the future (today is ${latest})`, `"${day}"`)
    }
  }
  if (settings) checkAll(settings, [['/run/date', settings.value.run.date]])
  for (const file of vendors)
    checkAll(file, [['/checked', file.value.checked], ...readDays(file.value)])
  for (const file of tools) checkAll(file, daysOf(file.value))
  for (const file of desk) checkAll(file, [['/read', file.value.read], ...findingDays(file.value)])
  for (const file of reviews) checkAll(file, [['/date', file.value.date]])
  for (const file of changes) {
    const { announced, updated } = file.value
    checkAll(file, [
      ['/announced', announced],
      ['/updated', updated],
    ])
  }
  if (removed) {
    checkAll(
      removed,
      removed.value.map(({ date }, i): Day => [`/${i}/date`, date]),
    )
  }
}

type Day = readonly [pointer: string, day: string | undefined]

function readDays({ sources = [] }: { sources?: ReadonlyArray<{ read: string }> }): Day[] {
  return sources.map(({ read }, i) => [`/sources/${i}/read`, read])
}

function findingDays({ findings }: Folder['desk'][number]['value']): Day[] {
  return findings.map(({ date }, i) => [`/findings/${i}/date`, date])
}

function daysOf(tool: Folder['tools'][number]['value']): Day[] {
  const scores = Object.entries((tool.scores ?? {}) as Record<string, { date?: string }>)
  return [
    ['/assessment/date', tool.assessment?.date],
    ['/popularity/asOf', tool.popularity?.asOf],
    ['/lastRelease', tool.lastRelease],
    ...readDays(tool),
    ...scores.map(([key, { date }]): Day => [`/scores/${key}/date`, date]),
  ]
}
