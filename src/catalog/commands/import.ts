import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { wholeEnvironment } from '../../platform/config/env.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { createGuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { progress } from '../../platform/terminal/progress.ts'
import { isTerminal, note, say } from '../../platform/terminal/terminal.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import { IMPORTERS } from '../importers/all-importers.ts'
import { isObject } from '../importers/fields.ts'
import type { Importer } from '../importers/importer.ts'
import { planImport } from '../importers/plan-import.ts'
import { isUrl } from '../importers/read-source.ts'
import type { ImportReport } from '../importers/report.ts'
import { asLink } from '../importers/words/as-link.ts'
import { currentText, writePlan, writeWhole } from '../importers/write-plan.ts'
import { problemLine } from '../records/problem.ts'
import { catalogFolder, onlyArgument } from './folder.ts'
import { importSentences } from './import-sentences.ts'

const OPTIONS = {
  ...DATA_OPTION,
  dir: { type: 'string' },
  as: { type: 'string' },
  at: { type: 'string' },
  'dry-run': { type: 'boolean' },
  'new-only': { type: 'boolean' },
  stubs: { type: 'boolean' },
  report: { type: 'string' },
  limit: { type: 'string' },
  since: { type: 'string' },
  json: { type: 'boolean' },
} as const

/**
 * `beckon catalog import SOURCE`: writes facts from another source into the catalog's files,
 * ungraded. Exits 0 if the source was read to its end, 1 if it could not be, or if the folder has
 * problems.
 */
export async function importInto(
  args: string[],
  readConfig: ReadConfig,
  importers: readonly Importer[] = IMPORTERS,
): Promise<number> {
  const allOptions = { ...optionsOf(importers), ...OPTIONS }
  const { operands, ...options } = readOpenArguments(args, allOptions)
  const source = onlyArgument(operands)
  if (source === undefined)
    throw new WrongUsage('SOURCE is missing: a file, a folder or an address.')
  const importer = importerFor(importers, source, options.as)
  const limit = limitOf(options.limit)
  const folder = catalogFolder(readConfig, options.data, options.dir)
  if (!existsSync(folder)) {
    throw new Failure(
      'not_found',
      `There is no catalog in ${folder}; beckon catalog init makes one, and --dir names another.`,
    )
  }
  const before = await loadFolder(folder)
  if (!before.source) {
    if (options.json) say(JSON.stringify({ imported: false, problems: before.problems }))
    else for (const problem of before.problems) note(problemLine(problem))
    note(`Nothing was imported: ${folder} is not in order; beckon catalog lint says how.`)
    return EXIT.failed
  }
  const now = systemClock.now()
  const since = sinceFor(options.since, folder, source)
  const { allowPrivateHosts } = readConfig({ data: options.data })
  const { fetch } = createGuardedFetch({ allowPrivateHosts })
  const reading = progress('records', isTerminal(2))
  const deps = {
    fetch,
    now,
    progress: reading.step,
    options: importerOptions(importer, options),
    ...addressOf(options.at, source),
    ...(since ? { since } : {}),
  }
  const plan = await planImport(before.source, { importer, source }, deps, {
    newOnly: options['new-only'] ?? false,
    stubs: options.stubs ?? false,
    ...(limit ? { limit } : {}),
    readText: (path) => currentText(join(folder, path)) ?? '',
  }).finally(reading.end)
  const { report } = plan
  report.dryRun = options['dry-run'] ?? false
  if (!report.dryRun) {
    const writing = progress('files', isTerminal(2))
    for (const path of writePlan(folder, plan, writing.step)) {
      report.skipped.push({ record: path, why: 'the file was changed in the meantime' })
    }
    writing.end()
    // A partial read does not show when the whole source was read.
    if (report.until && isUrl(source) && !limit) keepSince(folder, source, report.until)
  }
  tell(report, options)
  return report.dryRun ? EXIT.done : await checked(folder)
}

/** `--NAME VALUE` of every importer. */
function optionsOf(importers: readonly Importer[]): Record<string, { type: 'string' }> {
  const names = importers.flatMap(({ options = {} }) => Object.keys(options))
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
}

/** The options given to an importer, or else the environment variables for them. */
function importerOptions({ options = {} }: Importer, flags: object): Record<string, string> {
  const values = new Map<string, unknown>(Object.entries(flags))
  const environment = wholeEnvironment()
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, { env }]) => {
      const value = values.get(name) ?? (env === undefined ? undefined : environment[env])
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}

/** The kind of a source: as named, or else as recognised. Throws `WrongUsage`. */
export function importerFor(
  importers: readonly Importer[],
  source: string,
  as: string | undefined,
): Importer {
  const names = importers.map(({ name }) => name).join(', ')
  const importer = importers.find((it) =>
    as === undefined ? it.recognises(source) : it.name === as,
  )
  if (importer) return importer
  if (as !== undefined) throw new WrongUsage(`"${as}" is not one of ${names}.`)
  if (!isUrl(source) && !existsSync(source)) throw new WrongUsage(`${source} is not there.`)
  throw new WrongUsage(
    `What ${source} is is not recognised; name its kind with --as: one of ${names}.`,
  )
}

/** `--at ADDRESS`: where the files were copied from, which they do not show themselves. */
export function addressOf(text: string | undefined, source: string): { at?: string } {
  if (text === undefined) return {}
  if (isUrl(source)) throw new WrongUsage('--at is for files; SOURCE is an address already.')
  const at = asLink(text)
  if (at === undefined) throw new WrongUsage(`--at takes a public web address, not "${text}".`)
  return { at }
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new WrongUsage(`--limit takes a whole number of at least 1, not "${text}".`)
}

function sinceFor(text: string | undefined, folder: string, source: string): string | undefined {
  if (text === undefined) return sinceOf(folder, source)
  if (text === 'all') return undefined
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new WrongUsage(`--since takes a day or a time such as 2026-01-31, or all, not "${text}".`)
}

function tell(report: ImportReport, options: { report?: string; json?: boolean }) {
  const text = JSON.stringify(report, null, 2)
  const toOutput = options.json || options.report === '-'
  if (options.report && options.report !== '-')
    writeWhole(dirname(resolve(options.report)), basename(options.report), `${text}\n`)
  if (toOutput) say(text)
  for (const line of importSentences(report)) (toOutput ? note : say)(line)
}

/** Prints the problems of the folder. Returns the exit code: 0 if it has none. */
async function checked(folder: string): Promise<number> {
  const { problems } = await loadFolder(folder)
  for (const problem of problems) note(problemLine(problem))
  return problems.length > 0 ? EXIT.failed : EXIT.done
}

const FILE = 'imports.json'

/** The time up to which a source was last read, from `imports.json` next to the catalog's files. */
function sinceOf(folder: string, source: string): string | undefined {
  const since = readInstants(folder)[source]
  return typeof since === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(since) ? since : undefined
}

/** Remembers that time for the next import. */
function keepSince(folder: string, source: string, until: string): void {
  const since = { ...readInstants(folder), [source]: until }
  const before = currentText(join(folder, FILE))
  const text = `${JSON.stringify({ since }, null, 2)}\n`
  if (text !== before) writeWhole(folder, FILE, text)
}

function readInstants(folder: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(currentText(join(folder, FILE)) ?? '{}')
    return isObject(value) && isObject(value.since) ? value.since : {}
  } catch {
    return {}
  }
}
