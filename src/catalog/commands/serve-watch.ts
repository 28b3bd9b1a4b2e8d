import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { EXIT, type Starters } from '../../platform/command.ts'
import type { Flags } from '../../platform/config/config.ts'
import type { ReadPreviewConfig } from '../../platform/config/config-reader.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { createLog } from '../../platform/log.ts'
import { stopSignal } from '../../platform/terminal/stop-signal.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import type { FolderState } from '../preview.ts'
import { problemLine } from '../records/problem.ts'
import { contents } from './folder.ts'

// Lint shows all of them.
const SHOWN_MAX = 50

/**
 * `beckon serve --watch DIR`: serves a catalog's files as they are on disk, without a data folder.
 */
export async function serveFolder(
  dir: string,
  flags: Flags,
  readPreviewConfig: ReadPreviewConfig,
  starters: Starters<FolderState>,
): Promise<number> {
  if (flags.data !== undefined) throw new WrongUsage(NO_DATA)
  if (!dir.trim()) throw new WrongUsage('--watch needs the folder with catalog.yaml.')
  const folder = resolve(dir)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WrongUsage(`--watch needs a folder, which ${cleanLine(folder)} is not.`)
  }
  const config = readPreviewConfig(flags)
  const log = createLog({ format: config.log, level: config.logLevel })
  const signal = stopSignal()
  const preview = await starters.startPreview(config, { log, folder, onLooked: teller(folder) })
  say(`Preview of ${cleanLine(folder)} on ${preview.url}; nothing is published`)
  say(`Open ${preview.baseUrl}/tools`)
  await signal
  await preview.stop()
  return EXIT.done
}

const NO_DATA =
  '--watch shows files and opens no data folder, so it takes no --data; without --watch the server shows the published catalog.'

/** Prints the problems as `catalog lint` does, whenever they change. */
function teller(folder: string) {
  let before: string | undefined
  return ({ source, problems }: FolderState) => {
    const lines = problems.map(problemLine)
    const text = lines.join('\n')
    if (text === before && text !== '') return
    before = text
    for (const line of lines.slice(0, SHOWN_MAX)) say(line)
    const more = lines.length - SHOWN_MAX
    if (more > 0) note(`and ${more} more; beckon catalog lint has them all.`)
    note(`${cleanLine(basename(folder))}: ${summary(source, problems.length)}`)
  }
}

function summary(source: FolderState['source'], problems: number): string {
  if (source) {
    return `${contents(source)}: no problems.`
  }
  return `${problems} ${problems === 1 ? 'problem' : 'problems'}; the last good state stays visible.`
}
