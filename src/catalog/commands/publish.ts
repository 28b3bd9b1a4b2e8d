import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import { openDatabase, openKnownDatabase } from '../../platform/db/open-database.ts'
import { addressForLinks } from '../../platform/db/server-address.ts'
import { Failure } from '../../platform/failure.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { progress } from '../../platform/terminal/progress.ts'
import { isTerminal, note, say } from '../../platform/terminal/terminal.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import { readLive } from '../measured/read-live.ts'
import { plural } from '../pages/words.ts'
import { type Published, previewPublish, publish } from '../publishing/publish.ts'
import { rowsOf } from '../publishing/rows.ts'
import { type FileProblem, problemLine } from '../records/problem.ts'
import { checkReviews } from '../signing/review.ts'
import { catalogFolder, onlyArgument } from './folder.ts'

type Source = NonNullable<Awaited<ReturnType<typeof loadFolder>>['source']>

/**
 * `beckon catalog publish [DIR]`: publishes a folder, all of it or nothing. A running server
 * notices by itself.
 */
export async function publishFolder(args: string[], readConfig: ReadConfig): Promise<number> {
  const { operands, data, json, ...options } = readOpenArguments(args, {
    ...DATA_OPTION,
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  })
  const folder = catalogFolder(readConfig, data, onlyArgument(operands))
  const reading = progress('files', isTerminal(2))
  const { source, problems } = await loadFolder(folder, { onProgress: reading.step })
  reading.end()
  if (!source) return refuse(problems, folder, json ?? false)
  const config = readConfig({ data })
  const dryRun = options['dry-run'] ?? false
  for (const line of await unsoundReviews(source)) note(line)
  const done = dryRun ? await preview(config, source) : await publishTo(config, source)
  if (json) say(JSON.stringify({ published: !dryRun, ...done, problems: [] }))
  else {
    say(sentence(done, source.tools.length, dryRun))
    if (!dryRun) tellWhere(config, source.settings.baseUrl)
  }
  return EXIT.done
}

/** `published` is the address of the catalog in its own settings, which some server may have. */
function tellWhere(config: Config, published: string | undefined): void {
  const { baseUrl, doubt } = addressForLinks(config)
  const isElsewhere = doubt !== undefined && published !== undefined
  say(`See it at ${isElsewhere ? published : baseUrl}/tools`)
  if (doubt && !isElsewhere) note(doubt)
}

async function publishTo(config: Config, source: Source): Promise<Published> {
  await using db = await openDatabase(config)
  const live = await readLive(db.read, systemClock.now())
  return await publish({ db, clock: systemClock }, source, live)
}

async function preview(config: Config, source: Source): Promise<Published> {
  await using db = await openExistingDatabase(config)
  if (db) return await previewPublish({ db }, source)
  const changed = { added: rowsOf(source).length, updated: 0, removed: 0 }
  return { revision: '', sequence: 1, changed }
}

/** Undefined if no Beckon has used the folder: a look must not create anything. */
async function openExistingDatabase(config: Config): Promise<OpenDb | undefined> {
  try {
    return await openKnownDatabase(config)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  }
}

/** They are published with that label, and the person who publishes should know. */
async function unsoundReviews(source: Source): Promise<string[]> {
  const checked = await checkReviews(source)
  return [...checked].flatMap(([name, check]) =>
    check.status === 'valid' ? [] : [`reviews/${name}.json: ${check.status}. ${check.why}`],
  )
}

function refuse(problems: readonly FileProblem[], folder: string, json: boolean): number {
  if (json) say(JSON.stringify({ published: false, problems }))
  else for (const problem of problems) note(problemLine(problem))
  const count = `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
  note(`Nothing was published: ${count} in ${folder}.`)
  return EXIT.failed
}

function sentence({ revision, sequence, changed }: Published, tools: number, dryRun: boolean) {
  const { added, updated, removed } = changed
  if (added + updated + removed === 0) return `Nothing has changed since publish ${sequence}.`
  const counts = `${added} added, ${updated} updated, ${removed} removed; ${plural(tools, 'tool')} in all`
  if (dryRun) return `This would be publish ${sequence}: ${counts}.`
  return `Publish ${sequence} (${revision.slice(0, 12)}): ${counts}. A running server shows it in a moment.`
}
