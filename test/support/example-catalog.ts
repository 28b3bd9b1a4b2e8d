import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import { loadFolder } from '../../src/catalog/authoring/load-folder.ts'
import { exampleTexts } from '../../src/catalog/commands/init.ts'
import { METHODOLOGY_TEXT } from '../../src/catalog/grading/default-methodology.ts'
import { tempFolder } from './temp-folder.ts'

/** What `catalog init` begins with, read from its files. */
export async function exampleCatalog(): Promise<CatalogSource> {
  using folder = tempFolder()
  const texts = new Map([...exampleTexts(), ['methodology.yaml', METHODOLOGY_TEXT]])
  for (const [path, text] of texts) {
    const file = join(folder.path, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const { source, problems } = await loadFolder(folder.path)
  if (!source || problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 5)))
  return source
}
