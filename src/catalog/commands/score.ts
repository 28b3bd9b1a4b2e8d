import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isoTime, systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { openKnownDatabase } from '../../platform/db/open-database.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { note, say, table } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import type { Proposal } from '../checks/propose.ts'
import { proposalsOf } from '../feeds/check-feeds.ts'
import { setFields } from '../importers/edit-yaml.ts'
import { readLive } from '../measured/read-live.ts'
import type { AuthoredScore, AuthoredTool } from '../records/authored.ts'
import type { LiveBySlug } from '../records/live.ts'
import { problemLine } from '../records/problem.ts'
import { snapshotOf } from '../routes.ts'
import { asPublished, catalogFolder } from './folder.ts'

const OPTIONS = {
  ...DATA_OPTION,
  dir: { type: 'string' },
  json: { type: 'boolean' },
  take: { type: 'boolean' },
} as const
// Links to the folder's own records are made with it, and none of them is shown.
const NO_ADDRESS = 'http://localhost'

/**
 * `beckon catalog score [SLUG…]`: the scores that checks propose, with their evidence. `--take` writes
 * those of pending criteria into the records.
 */
export async function score(args: string[], readConfig: ReadConfig): Promise<number> {
  const { operands: slugs, data, dir, json, take } = readOpenArguments(args, OPTIONS)
  if (take && slugs.length === 0) {
    throw new WrongUsage('--take needs the slugs of the records that it writes to.')
  }
  const folder = catalogFolder(readConfig, data, dir)
  const source = await sourceAt(folder)
  const today = isoTime(systemClock.now()).slice(0, 10)
  const live = await measurements(readConfig, data)
  const snapshot = await snapshotOf(asPublished(source), live, today, NO_ADDRESS)
  const missing = slugs.find((slug) => !snapshot.bySlug.has(slug))
  if (missing) throw new Failure('not_found', `There is no record called ${missing} in ${folder}.`)
  const tools = slugs.length > 0 ? slugs : [...snapshot.bySlug.keys()].sort()
  const proposals = tools.map((slug) => {
    const tool = snapshot.bySlug.get(slug)
    return { slug, criteria: tool ? proposalsOf(snapshot, tool) : [] }
  })
  if (json) say(JSON.stringify(proposals, null, 2))
  else tell(proposals, source, slugs.length > 0)
  if (take) for (const { slug, criteria } of proposals) write(folder, source, slug, criteria, today)
  return EXIT.done
}

async function sourceAt(folder: string): Promise<CatalogSource> {
  const { source, problems } = await loadFolder(folder)
  if (source) return source
  for (const problem of problems) note(problemLine(problem))
  throw new Failure('malformed', `${folder} has problems, so nothing was checked.`)
}

/** Those of the server on this machine; none if it has no data. */
async function measurements(readConfig: ReadConfig, data: string | undefined): Promise<LiveBySlug> {
  try {
    await using db = await openKnownDatabase(readConfig({ data }))
    return await readLive(db.read, systemClock.now())
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return new Map()
    throw error
  }
}

type Row = { slug: string; criteria: readonly Proposal[] }

function tell(rows: readonly Row[], { tools }: CatalogSource, withEvidence: boolean): void {
  const authored = new Map(tools.map((tool) => [tool.slug, tool.scores ?? {}]))
  const cells = rows.flatMap(({ slug, criteria }) =>
    criteria.map(({ criterion, least, most, reason }) => [
      slug,
      criterion,
      least === null ? '-' : least === most ? String(least) : `${least} to ${most}`,
      String(authored.get(slug)?.[criterion]?.score ?? 'pending'),
      cleanLine(reason),
    ]),
  )
  say(table(['RECORD', 'CRITERION', 'PROPOSED', 'SCORE', 'WHY'], cells))
  if (!withEvidence) return
  const evidence = rows.flatMap(({ slug, criteria }) =>
    criteria.flatMap(({ results }) =>
      results.map(({ key, answer, date = '-', summary, source = '' }) => [
        slug,
        key,
        answer,
        date,
        cleanLine(`${summary} ${source}`.trim()),
      ]),
    ),
  )
  say('')
  say(table(['RECORD', 'CHECK', 'ANSWER', 'DAY', 'EVIDENCE'], evidence))
}

/** Adds proposals to a record; a score that a person wrote stays. */
function write(
  folder: string,
  { tools }: CatalogSource,
  slug: string,
  criteria: readonly Proposal[],
  today: string,
): void {
  const tool = tools.find((one) => one.slug === slug)
  const open = criteria.filter(({ criterion, least }) => {
    return least !== null && tool?.scores?.[criterion]?.score === undefined
  })
  if (!tool || open.length === 0) {
    note(`${slug}: nothing to take.`)
    return
  }
  const path = join(folder, 'tools', `${slug}.yaml`)
  writeFileSync(path, setFields(readFileSync(path, 'utf8'), editsOf(tool, open, today)))
  const names = open.map(({ criterion, least }) => `${criterion} ${least}`)
  note(`${slug}: took ${names.join(', ')}.`)
}

function editsOf(tool: AuthoredTool, open: readonly Proposal[], today: string) {
  const scores = Object.fromEntries(open.map((proposal) => [proposal.criterion, scoreOf(proposal)]))
  const assessment = tool.assessment ?? { confidence: 'low', date: today }
  return [
    { field: 'assessment', value: assessment },
    { field: 'scores', value: { ...tool.scores, ...scores } },
  ]
}

function scoreOf({ least, reason, results }: Proposal): AuthoredScore {
  const held = results.filter(({ answer }) => answer === 'yes')
  const evidence = [...new Set(held.flatMap(({ source }) => source ?? []))].filter((source) =>
    /^https?:/.test(source),
  )
  const date = held.flatMap((result) => result.date ?? []).sort()[0]
  return {
    score: least ?? 0,
    reason: `By checks: ${reason}`.slice(0, 2_000),
    ...(evidence.length > 0 ? { evidence } : {}),
    ...(date ? { date } : {}),
  }
}
