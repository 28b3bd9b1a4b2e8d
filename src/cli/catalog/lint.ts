import { isatty } from 'node:tty'
import { deadLinks } from '../../catalog/source/check-links.ts'
import { loadFolder } from '../../catalog/source/load-folder.ts'
import { problemLine } from '../../catalog/source/problem-line.ts'
import { readConfig } from '../../config/config.ts'
import { createGuardedFetch } from '../../kernel/guarded-fetch.ts'
import { DATA_OPTION, readOpenArguments } from '../arguments.ts'
import { EXIT } from '../command.ts'
import { note, say } from '../terminal.ts'
import { catalogFolder, onlyArgument } from './folder.ts'
import { progress } from './progress.ts'

const OPTIONS = {
  ...DATA_OPTION,
  json: { type: 'boolean' },
  urls: { type: 'boolean' },
} as const

/** `beckon catalog lint [DIR]`: 0 when nothing is wrong, 1 with one line for each problem. */
export async function lint(args: string[]): Promise<number> {
  const { data, json, urls, given } = readOpenArguments(args, OPTIONS)
  const folder = catalogFolder(data, onlyArgument(given))
  const reading = progress('files', isatty(2))
  const { source, problems } = await loadFolder(folder, { onProgress: reading.step })
  reading.end()
  if (source && urls) {
    const { allowPrivateHosts } = readConfig({ data })
    const { fetch } = createGuardedFetch({ allowPrivateHosts })
    const asking = progress('addresses', isatty(2))
    problems.push(...(await deadLinks(folder, source, { fetch, onProgress: asking.step })))
    asking.end()
  }
  if (json) say(JSON.stringify({ folder, problems }, null, 2))
  else for (const problem of problems) say(problemLine(problem))
  const records = source ? `${source.tools.length} tools, ${source.changes.length} changes: ` : ''
  if (!json) note(`${folder}: ${records}${problems.length || 'no'} ${wordFor(problems.length)}.`)
  return problems.length > 0 ? EXIT.failed : EXIT.done
}

function wordFor(count: number): string {
  return count === 1 ? 'problem' : 'problems'
}
