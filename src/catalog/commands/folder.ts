import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { plural } from '../pages/words.ts'
import type { PublishedCatalog } from '../publishing/read-published.ts'

/** The folder with the catalog's files: the given one, or `catalog` in the data folder. */
export function catalogFolder(
  readConfig: ReadConfig,
  data: string | undefined,
  dir: string | undefined,
): string {
  return dir === undefined ? join(readConfig({ data }).dataFolder, 'catalog') : resolve(dir)
}

/** Words the contents of a folder without problems: `12 tools, 1 change`. */
export function contents({ tools, changes }: Pick<CatalogSource, 'tools' | 'changes'>): string {
  return `${plural(tools.length, 'tool')}, ${plural(changes.length, 'change')}`
}

const NO_REVISION = { revision: '', sequence: 0, publishedAt: 0, added: 0, updated: 0, removed: 0 }

/** A folder in the form of a publish that has no past. */
export function asPublished(source: CatalogSource): PublishedCatalog {
  const none = { updatedAt: new Map(), changeTimes: new Map(), history: new Map(), records: [] }
  return { source, ...none, revision: NO_REVISION }
}

/** The only argument that is not an option; undefined without one. */
export function onlyArgument(operands: readonly string[]): string | undefined {
  const extra = operands[1]
  if (extra !== undefined) throw new WrongUsage(`"${extra}" is one argument too many.`)
  return operands[0]
}

/**
 * Writes new files, all of them or none. Throws `conflict` naming the first that already exists.
 */
export function writeNew(folder: string, files: ReadonlyMap<string, string>): void {
  for (const path of files.keys()) {
    if (!existsSync(join(folder, path))) continue
    throw new Failure(
      'conflict',
      `${join(folder, path)} exists; nothing was written. Choose another folder or name.`,
    )
  }
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text, { flag: 'wx' })
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Failure(
      'unavailable',
      `${folder} cannot be written to (${code}); choose another folder or change its owner.`,
      { cause: error },
    )
  }
}
