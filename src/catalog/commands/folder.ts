import { join, resolve } from 'node:path'
import { readConfig } from '../../platform/config/config.ts'
import { WrongUsage } from '../../platform/config/wrong-usage.ts'

/** The folder with the catalog's files: the given one, or `catalog` in the data folder. */
export function catalogFolder(data: string | undefined, dir: string | undefined): string {
  return dir === undefined ? join(readConfig({ data }).dataFolder, 'catalog') : resolve(dir)
}

/** The only argument that is not an option; undefined without one. */
export function onlyArgument(given: readonly string[]): string | undefined {
  const extra = given[1]
  if (extra !== undefined) throw new WrongUsage(`"${extra}" is one argument too many.`)
  return given[0]
}
