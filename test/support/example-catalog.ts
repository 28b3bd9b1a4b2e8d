import { join } from 'node:path'
import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import { loadFolder } from '../../src/catalog/authoring/load-folder.ts'

/** The folder that `catalog init` copies. It is published as it lies in a clone. */
const EXAMPLES = join(import.meta.dir, '../../examples/catalog')

/** The catalog in that folder. */
export async function exampleCatalog(): Promise<CatalogSource> {
  const { source, problems } = await loadFolder(EXAMPLES)
  if (!source || problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 5)))
  return source
}
