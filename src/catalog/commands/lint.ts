import { join } from 'node:path'
import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { createGuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { progress } from '../../platform/terminal/progress.ts'
import { isTerminal, note, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { deadLinks } from '../authoring/check-links.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import { IMPORTERS } from '../importers/all-importers.ts'
import { importLeftovers, type Leftover } from '../importers/leftovers.ts'
import { rereadSource } from '../importers/reread-source.ts'
import { currentText } from '../importers/write-plan.ts'
import { type FileProblem, problemLine } from '../records/problem.ts'
import { checkReviews } from '../signing/review.ts'
import { catalogFolder, contents, onlyArgument } from './folder.ts'
import { addressOf, importerFor } from './import.ts'

const OPTIONS = {
  ...DATA_OPTION,
  json: { type: 'boolean' },
  urls: { type: 'boolean' },
  source: { type: 'string' },
  as: { type: 'string' },
  at: { type: 'string' },
} as const

/**
 * `beckon catalog lint [DIR]`: exits 0 if nothing is wrong, 1 after one line for each problem.
 * Decisions that imports leave to a person are listed too, but are not problems.
 */
export async function lint(args: string[], readConfig: ReadConfig): Promise<number> {
  const { data, json, urls, operands, ...reread } = readOpenArguments(args, OPTIONS)
  const folder = catalogFolder(readConfig, data, onlyArgument(operands))
  const reading = progress('files', isTerminal(2))
  const { source, problems } = await loadFolder(folder, { onProgress: reading.step })
  reading.end()
  if (source) problems.push(...(await forgedReviews(source)))
  if (source && urls) {
    const { fetch } = createGuardedFetch(readConfig({ data }))
    const asking = progress('addresses', isTerminal(2))
    problems.push(...(await deadLinks(folder, source, { fetch, onProgress: asking.step })))
    asking.end()
  }
  const leftovers = source ? importLeftovers(source) : []
  const stale =
    source && reread.source ? await stalePieces(folder, source, reread, readConfig({ data })) : []
  for (const { file, field, about } of stale) {
    problems.push({ file, line: 0, field, expected: 'what its source says', found: about })
  }
  if (json) say(JSON.stringify({ folder, problems, leftovers }, null, 2))
  else {
    for (const problem of problems) say(problemLine(problem))
    for (const { file, field, about } of leftovers) say(cleanLine(`${file}: ${field}: ${about}`))
  }
  const records = source ? `${contents(source)}: ` : ''
  const remainder = leftovers.length > 0 ? `, ${leftovers.length} left by imports to decide` : ''
  const summary = `${problems.length || 'no'} ${wordFor(problems.length)}${remainder}`
  if (!json) note(`${folder}: ${records}${summary}.`)
  return problems.length > 0 ? EXIT.failed : EXIT.done
}

/** A signature that does not fit is an accident or a forgery; both are for the author. */
async function forgedReviews(source: CatalogSource): Promise<FileProblem[]> {
  const checked = await checkReviews(source)
  return [...checked].flatMap(([name, check]) =>
    check.status === 'invalid'
      ? [
          {
            file: `reviews/${name}.json`,
            line: 0,
            field: 'signature',
            expected: 'a signature of this review',
            found: `one that is not valid: ${check.why}`,
          },
        ]
      : [],
  )
}

type LintInput = { source?: string; as?: string; at?: string }

/** Imported values that the source of `--source` does not show any more. */
async function stalePieces(
  folder: string,
  catalog: CatalogSource,
  { source = '', as, at }: LintInput,
  config: Pick<Config, 'allowPrivateHosts'>,
): Promise<Leftover[]> {
  const { fetch } = createGuardedFetch(config)
  const reading = progress('records', isTerminal(2))
  const readText = (path: string) => currentText(join(folder, path)) ?? ''
  const deps = {
    fetch,
    now: systemClock.now(),
    progress: reading.step,
    ...addressOf(at, source),
  }
  const importer = importerFor(IMPORTERS, source, as)
  return rereadSource(catalog, { importer, source, readText }, deps).finally(reading.end)
}

function wordFor(count: number): string {
  return count === 1 ? 'problem' : 'problems'
}
