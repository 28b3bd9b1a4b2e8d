import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importInto as importCommand } from '../../../src/catalog/commands/import.ts'
import { lint } from '../../../src/catalog/commands/lint.ts'
import { MODELS_DEV } from '../../../src/catalog/importers/models/importer.ts'
import { readConfig } from '../../../src/settings.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { detailOf } from '../snapshot-of.ts'
import { importInto } from './import-world.ts'

function sourceIn(path: string, price: number): string {
  const home = join(path, 'providers/acme')
  mkdirSync(join(home, 'models'), { recursive: true })
  writeFileSync(join(home, 'provider.toml'), 'name = "Acme"\ndoc = "https://docs.acme.com"\n')
  const text = `name = "Owl"\nrelease_date = "2026-01-01"\n[cost]\ninput = ${price}\n`
  writeFileSync(join(home, 'models/owl.toml'), text)
  return join(path, 'providers')
}

test('lint reads a source again, and refuses what it does not show any more', async () => {
  using temp = tempFolder()
  const folder = join(temp.path, 'catalog')
  writeCatalogFolder(folder, {})
  const source = sourceIn(temp.path, 3)
  expect(await importCommand([source, '--dir', folder], readConfig)).toBe(0)
  expect(await lint([folder, '--source', source], readConfig)).toBe(0)
  const file = join(folder, 'tools/acme-owl.yaml')
  const before = readFileSync(file, 'utf8')
  sourceIn(temp.path, 4)
  expect(await lint([folder, '--source', source], readConfig)).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('the served record says where each imported value was read', async () => {
  using temp = tempFolder()
  const folder = join(temp.path, 'catalog')
  writeCatalogFolder(folder, {})
  const { catalog } = await importInto(folder, MODELS_DEV, { source: sourceIn(temp.path, 3) })
  const [tool] = catalog.tools
  if (!tool) throw new Error('not imported')
  const { provenance } = detailOf(catalog, tool)
  expect(provenance.checks).toContainEqual({
    ...{ name: 'unitPrices', held: true, result: 'read at cost', path: 'cost' },
    ...{ source: 'file:providers/acme/models/owl.toml', checked: '2026-11-21' },
  })
  // The score counts only what was looked up of the vendor.
  expect(provenance.score).toBeNull()
})
