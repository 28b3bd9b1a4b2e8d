import { systemClock } from '../../platform/clock.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { EXIT } from '../../platform/terminal/command.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { exampleFolder } from './example-files.ts'
import { catalogFolder, onlyArgument } from './folder.ts'
import { starterFiles } from './starter-files.ts'
import { writeNew } from './write-new.ts'

/**
 * `beckon catalog init [DIR]`: makes a folder with examples of real tools or, with `--empty`, one
 * placeholder. Existing files are not overwritten.
 */
export async function init(args: string[]): Promise<number> {
  const { data, given, empty } = readOpenArguments(args, {
    ...DATA_OPTION,
    empty: { type: 'boolean' },
  })
  const folder = catalogFolder(data, onlyArgument(given))
  const files = empty ? starterFiles(today()) : exampleFolder()
  writeNew(folder, files)
  say(folder)
  note(`Wrote ${files.size} files. Next: beckon catalog lint ${folder}`)
  return EXIT.done
}

function today(): string {
  return new Date(systemClock.now()).toISOString().slice(0, 10)
}
