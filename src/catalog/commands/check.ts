import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isoTime, systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { openKnownDatabase } from '../../platform/db/open-database.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { createGuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { shape } from '../../platform/schema.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { readLive } from '../measured/read-live.ts'
import { plural } from '../pages/words.ts'
import { readPublished } from '../publishing/read-published.ts'
import { snapshotOf } from '../routes.ts'
import { findProblems, type Problem, SEVERITIES, type Severity } from '../uses/find-problems.ts'
import { LOCK_FILE, Lock, lockOf } from '../uses/lock.ts'
import { type MatchedUses, matchUses } from '../uses/match-uses.ts'
import { findVulnerabilities } from '../uses/osv.ts'
import { readDump } from '../uses/osv-dump.ts'
import { type CatalogData, readSignedCatalog } from '../uses/read-catalog.ts'
import { readRepository } from '../uses/read-repository.ts'
import { sarifOf } from '../uses/sarif.ts'
import type { Use } from '../uses/use.ts'
import { fromAddress } from '../verifying/from-address.ts'
import { fromArchive } from '../verifying/from-archive.ts'
import { fromFolder } from '../verifying/from-folder.ts'
import { Unreachable } from '../verifying/published-catalog.ts'
import { asPublished, onlyArgument } from './folder.ts'

const OPTIONS = {
  ...DATA_OPTION,
  days: { type: 'string' },
  'fail-on': { type: 'string' },
  format: { type: 'string' },
  from: { type: 'string' },
  key: { type: 'string' },
  lock: { type: 'boolean' },
  osv: { type: 'string', multiple: true },
  url: { type: 'string' },
  watch: { type: 'string' },
} as const
const DAYS = 90

/** Watches the records of a list, for whoever the token of the environment is of. */
export type WatchList = (list: {
  name: string
  slugs: readonly string[]
  url: string | undefined
}) => Promise<void>

const FORMATS = ['text', 'json', 'sarif'] as const

/**
 * `beckon catalog check [DIR]`: what a repository uses that ended, ends, broke, changed or is
 * vulnerable, by a catalog. Exits 1 if something is as severe as `--fail-on`, 5 if the catalog could
 * not be reached.
 */
export async function check(
  args: string[],
  readConfig: ReadConfig,
  { watchList }: { watchList: WatchList },
): Promise<number> {
  const { operands, ...options } = readOpenArguments(args, OPTIONS)
  const folder = resolve(onlyArgument(operands) ?? '.')
  const failOn = oneOf(SEVERITIES, options['fail-on'] ?? 'error', '--fail-on')
  const format = oneOf(FORMATS, options.format ?? 'text', '--format')
  const days = Number(options.days ?? DAYS)
  if (options.url !== undefined && options.watch === undefined) {
    throw new WrongUsage('--url is where news of --watch are posted; name the list with --watch.')
  }
  if (!Number.isInteger(days) || days < 0) throw new WrongUsage('--days must be a whole number.')
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new Failure('not_found', `${folder} is not a folder.`)
  }
  const today = isoTime(systemClock.now()).slice(0, 10)
  const catalog = await readCatalog(readConfig, { ...options, today }).catch(unreachable)
  if (!catalog) return EXIT.unreachable
  const { uses, files, unread } = readRepository(folder)
  const matched = matchUses(catalog.tools, uses)
  const locks = { before: readLock(folder), now: lockOf(matched.matches) }
  const osv = vulnerabilities(options.osv ?? [], uses)
  const context = { changes: catalog.changes, today, days }
  const problems = [
    ...findProblems(matched.matches, {
      ...context,
      locks: options.lock || !locks.before ? undefined : { before: locks.before, now: locks.now },
    }),
    ...unread.map(({ file, why }): Problem => {
      return {
        code: 'unread',
        severity: 'warning',
        message: `It was not read: ${why}.`,
        file,
        line: 1,
      }
    }),
    ...osv.problems,
  ].sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity))
  if (options.lock)
    writeFileSync(join(folder, LOCK_FILE), `${JSON.stringify(locks.now, null, 2)}\n`)
  const { notCovered } = osv
  if (options.watch !== undefined) await watchUses(watchList, options, matched)
  tell(format, { problems, matched, files, notCovered, about: catalog.about })
  const isFailed = problems.some(({ severity }) => isAtLeast(severity, failOn))
  return isFailed ? EXIT.failed : EXIT.done
}

/** Watches what is in use, instead of what the list of this name had before. */
async function watchUses(
  watchList: WatchList,
  { watch: name = '', url }: { watch?: string; url?: string },
  { matches }: MatchedUses,
): Promise<void> {
  const slugs = [...new Set(matches.map(({ tool }) => tool.slug))].sort()
  if (slugs.length === 0) return note('Nothing of the catalog is in use, so nothing is watched.')
  await watchList({ name, slugs, url })
  note(cleanLine(`${plural(slugs.length, 'tool')} watched as "${name}".`))
}

function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)
}

function oneOf<T extends string>(values: readonly T[], text: string, option: string): T {
  const value = values.find((one) => one === text)
  if (value === undefined) throw new WrongUsage(`${option} must be one of ${values.join(', ')}.`)
  return value
}

function unreachable(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error
  note(error.message)
  return undefined
}

type From = {
  from?: string | undefined
  key?: string | undefined
  data?: string | undefined
  today: string
}

/** The catalog at an address, in a snapshot or a folder, or the one published on this machine. */
async function readCatalog(readConfig: ReadConfig, options: From): Promise<CatalogData> {
  const { from, data } = options
  const key = options.key
  const { today } = options
  if (from === undefined) {
    await using db = await openKnownDatabase(readConfig({ data }))
    const published = await readPublished(db.read)
    if (!published)
      throw new Failure('not_found', 'No catalog is published here; name one with --from.')
    const live = await readLive(db.read, systemClock.now())
    return dataOf(await snapshotOf(published, live, today, ''), 'The catalog published here.')
  }
  if (/^https?:\/\//i.test(from)) {
    const { fetch } = createGuardedFetch(readConfig({ data }))
    return await readSignedCatalog(await fromAddress(from, fetch), { key, today })
  }
  if (existsSync(join(from, 'catalog.yaml'))) {
    const { source, problems } = await loadFolder(from)
    if (!source)
      throw new Failure('malformed', `${from} has ${plural(problems.length, 'problem')}.`)
    return dataOf(
      await snapshotOf(asPublished(source), new Map(), today, ''),
      `The folder ${from}.`,
    )
  }
  if (existsSync(join(from, 'api/v1/manifest.json'))) {
    return await readSignedCatalog(fromFolder(from), { key, today })
  }
  if (!existsSync(from)) throw new Failure('not_found', `${from} does not exist.`)
  const archive = await fromArchive(from, new Uint8Array(readFileSync(from)))
  return await readSignedCatalog(archive, { key, today })
}

function dataOf({ tools, changes }: CatalogSnapshot, about: string): CatalogData {
  return { tools, changes, about }
}

function readLock(folder: string): Lock | undefined {
  const place = join(folder, LOCK_FILE)
  if (!existsSync(place)) return undefined
  try {
    return shape(Lock).parse(JSON.parse(readFileSync(place, 'utf8')))
  } catch (error) {
    throw new Failure('malformed', `${place} is no lock; write it anew with --lock.`, {
      cause: error,
    })
  }
}

type Vulnerabilities = { problems: Problem[]; notCovered: string[] }

/** What these dumps say together. */
function vulnerabilities(dumps: readonly string[], uses: readonly Use[]): Vulnerabilities {
  const entries = dumps.values().flatMap((path) => readDump(path))
  const { vulnerable, unsure, notCovered } = findVulnerabilities(entries, uses)
  const problem =
    (code: 'vulnerable' | 'maybe-vulnerable', severity: Severity) =>
    ({ id, summary, use }: (typeof vulnerable)[number]): Problem => {
      const { file, line } = use
      const name = use.kind === 'package' ? `${use.name} ${use.version ?? ''}`.trim() : ''
      const source = `https://osv.dev/vulnerability/${id}`
      return { code, severity, message: `${name}: ${id}. ${summary}`.trim(), file, line, source }
    }
  const problems = [
    ...vulnerable.map(problem('vulnerable', 'error')),
    ...unsure.map(problem('maybe-vulnerable', 'note')),
  ]
  return { problems, notCovered }
}

// Enough to find the others by the same words.
const PLACES_MOST = 3

/** A line for each problem; what is the same in many places is said once. */
function linesOf(problems: readonly Problem[]): string[] {
  const same = Map.groupBy(problems, ({ severity, code, message, source }) =>
    JSON.stringify([severity, code, message, source]),
  )
  return [...same.values()].flatMap((places) => {
    const [first, ...others] = places
    if (!first) return []
    const { file, line, severity, code, message, source } = first
    const also = others.slice(0, PLACES_MOST).map((one) => `${one.file}:${one.line}`)
    const more = others.length - also.length
    const rest = more > 0 ? [...also, `${more} more`] : also
    const head = `${file}:${line} ${severity} ${code}: ${message}`
    return [
      [head, source, rest.length > 0 ? `Also ${rest.join(', ')}` : ''].filter(Boolean).join(' '),
    ]
  })
}

type Result = {
  problems: Problem[]
  matched: MatchedUses
  files: string[]
  about: string
  notCovered: string[]
}

function tell(
  format: (typeof FORMATS)[number],
  { problems, matched, files, about, notCovered }: Result,
): void {
  const { matches, unmatched } = matched
  const tools = [...new Set(matches.map(({ tool }) => tool.slug))].sort()
  const uses = matches.map(({ use, tool }) => ({ ...use, tool: tool.slug }))
  const whole = {
    catalog: about,
    problems,
    uses,
    notInCatalog: unmatched,
    files,
    notInOsv: notCovered,
  }
  if (format !== 'text') {
    say(JSON.stringify(format === 'sarif' ? sarifOf(problems) : whole, null, 2))
    return
  }
  for (const line of linesOf(problems)) say(cleanLine(line))
  note(cleanLine(about))
  const unknown = new Set(
    unmatched.map((use) => (use.kind === 'package' ? `${use.registry} ${use.name}` : use.file)),
  )
  note(
    `${plural(files.length, 'file')} read; ${plural(tools.length, 'tool')} of the catalog in use: ${tools.join(', ') || 'none'}.`,
  )
  if (notCovered.length > 0) {
    note(
      `Known vulnerabilities of ${notCovered.join(', ')} were not looked up: no --osv file has them.`,
    )
  }
  if (unknown.size > 0)
    note(`Not known of ${plural(unknown.size, 'package')}: the catalog does not have them.`)
}
