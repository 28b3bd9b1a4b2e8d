import { isoTime, systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { openKnownDatabase } from '../../platform/db/open-database.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { note, say, table } from '../../platform/terminal/terminal.ts'
import { type CatalogSource, loadFolder } from '../authoring/load-folder.ts'
import { listingOrder } from '../feeds/listing-order.ts'
import { type GradeChange, gradeChanges } from '../grading/difference.ts'
import { gradeAll } from '../grading/grade.ts'
import type { GradeHistory } from '../grading/history.ts'
import { readPublished } from '../publishing/read-published.ts'
import type { Grading } from '../records/grading.ts'
import { problemLine } from '../records/problem.ts'
import { isDay } from '../records/words.ts'
import { explainGrade } from './explain-grade.ts'
import { catalogFolder, onlyArgument } from './folder.ts'

const OPTIONS = {
  ...DATA_OPTION,
  against: { type: 'string' },
  diff: { type: 'boolean' },
  explain: { type: 'string' },
  json: { type: 'boolean' },
  on: { type: 'string' },
} as const

/**
 * `beckon catalog grade`: shows the grades of a folder, the calculation of one record, or the
 * differences from what is published or from another folder. Nothing is written.
 */
export async function grade(args: string[], readConfig: ReadConfig): Promise<number> {
  const { operands, ...options } = readOpenArguments(args, OPTIONS)
  const folder = catalogFolder(readConfig, options.data, onlyArgument(operands))
  if (options.explain !== undefined && (options.diff || options.against !== undefined)) {
    throw new WrongUsage('--explain cannot be used with --diff or --against.')
  }
  const today = readDay(options.on)
  const source = await sourceAt(folder)
  const grades = gradedOn(source, today)
  if (options.explain !== undefined) {
    return explain(source, grades, { ...options, slug: options.explain, today })
  }
  if (options.diff || options.against !== undefined) {
    const before = await gradesBefore(readConfig, options, today)
    return tellChanges(gradeChanges(before, grades), options)
  }
  return tellAll(grades, source, options)
}

function gradedOn(
  source: CatalogSource,
  today: string,
  earlier: GradeHistory = new Map(),
): Map<string, Grading> {
  return gradeAll(source, new Map(), today, earlier)
}

async function gradesBefore(
  readConfig: ReadConfig,
  { against, data }: { against?: string | undefined; data?: string | undefined },
  today: string,
): Promise<Map<string, Grading>> {
  if (against !== undefined) return gradedOn(await sourceAt(against), today)
  await using db = await openKnownDatabase(readConfig({ data }))
  const published = await readPublished(db.read)
  return published ? gradedOn(published.source, today, published.history) : new Map()
}

async function sourceAt(folder: string): Promise<CatalogSource> {
  const { source, problems } = await loadFolder(folder)
  if (source) return source
  for (const problem of problems) note(problemLine(problem))
  const count = problems.length === 1 ? '1 thing is' : `${problems.length} things are`
  throw new Failure('malformed', `${count} wrong in ${folder}, so nothing was graded.`)
}

function explain(
  source: CatalogSource,
  grades: ReadonlyMap<string, Grading>,
  { slug, today, json }: { slug: string; today: string; json?: boolean | undefined },
): number {
  const tool = source.tools.find((one) => one.slug === slug)
  const grading = grades.get(slug)
  if (!tool || !grading) {
    throw new Failure(
      'not_found',
      `There is no record called ${slug}; run the command without --explain for a list.`,
    )
  }
  if (json) say(JSON.stringify({ slug, ...grading }, null, 2))
  else say(explainGrade({ ...tool, today }, grading, source.methodology))
  return EXIT.done
}

function tellAll(
  grades: ReadonlyMap<string, Grading>,
  { methodology }: CatalogSource,
  { json }: { json?: boolean | undefined },
): number {
  if (json) {
    say(
      JSON.stringify(
        [...grades].map(([slug, grading]) => ({ slug, ...grading })),
        null,
        2,
      ),
    )
    return EXIT.done
  }
  // As the catalog lists them, so that ranks are in order: a gate may lower a grade, not a score.
  const rows = [...grades]
    .map(([slug, { catalog }]) => ({ slug, catalog }))
    .sort(listingOrder(methodology.bands))
    .map(({ slug, catalog }) => [
      slug,
      catalog.grade ?? '-',
      catalog.score?.toFixed(1) ?? '-',
      catalog.rank === null ? '-' : String(catalog.rank),
      catalog.agentReady ? 'yes' : 'no',
      `${Math.round((catalog.coverage ?? 0) * 100)} %`,
      [...(catalog.gates ?? []).map(({ code }) => code)].join(', '),
    ])
  if (rows.length > 0) {
    say(table(['RECORD', 'GRADE', 'SCORE', 'RANK', 'AGENT READY', 'COVERAGE', 'GATES'], rows))
  }
  const graded = [...grades.values()].filter(({ catalog }) => catalog.graded).length
  note(`${graded} of ${grades.size} records are graded.`)
  return EXIT.done
}

function tellChanges(changes: GradeChange[], { json }: { json?: boolean | undefined }): number {
  if (json) {
    say(JSON.stringify(changes, null, 2))
    return EXIT.done
  }
  const rows = changes.map(({ slug, before, after, why }) => [
    slug,
    outcome(before),
    outcome(after),
    why.join(', '),
  ])
  if (rows.length > 0) say(table(['RECORD', 'BEFORE', 'AFTER', 'WHAT CHANGED'], rows))
  const count = rows.length === 1 ? '1 record is' : `${rows.length} records are`
  note(rows.length === 0 ? 'No grade changes.' : `${count} graded otherwise.`)
  return EXIT.done
}

function outcome(one: GradeChange['before']): string {
  if (one === null) return '-'
  return one.score === null ? 'not graded' : `${one.grade} ${one.score.toFixed(1)}`
}

function readDay(on: string | undefined): string {
  if (on === undefined) return isoTime(systemClock.now()).slice(0, 10)
  if (isDay(on)) return on
  throw new WrongUsage('--on must be a day like 2026-01-31.')
}
