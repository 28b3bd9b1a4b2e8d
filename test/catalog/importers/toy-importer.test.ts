import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOG } from '../../../src/catalog/commands/command.ts'
import { importInto } from '../../../src/catalog/commands/import.ts'
import { IMPORTERS } from '../../../src/catalog/importers/all-importers.ts'
import type { Importer } from '../../../src/catalog/importers/importer.ts'
import { WrongUsage } from '../../../src/platform/failure.ts'
import { readConfig } from '../../../src/settings.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** What a new kind of source is: one value, and one line in the list. */
const GREETINGS: Importer = {
  name: 'greetings',
  about: 'a list of greetings',
  options: { language: { env: 'BECKON_TEST_LANGUAGE' } },
  recognises: (source) => source.startsWith('hello:'),
  async *read(source, { options, progress }) {
    const name = `${source.slice('hello:'.length)} ${options?.language}`
    const url = 'https://greetings.example.com/list'
    yield {
      slug: 'greeter',
      tool: { name, summary: 'It greets people.', kind: 'http-api', repo: `${url}/repo` },
      vendor: { id: 'greetings', name: 'Greetings', url: 'https://greetings.example.com' },
      from: {
        url,
        id: 'greeter',
        read: '2026-11-21',
        paths: { name: '[0]', summary: '[0]', repo: '[0]' },
      },
    }
    progress(1, 1)
  },
}
const WITH_TOY = [...IMPORTERS, GREETINGS]

test('a kind of source that is one more in the list is recognised, read and written', async () => {
  using temp = tempFolder()
  const dir = temp.path
  writeCatalogFolder(dir, {})
  const args = ['hello:Ada', '--language', 'Welsh', '--dir', dir]
  expect(await importInto(args, readConfig, WITH_TOY)).toBe(0)
  expect(readFileSync(join(dir, 'tools/greeter.yaml'), 'utf8')).toContain('name: Ada Welsh')
})

test('the name and option of an importer are known only with its line in the list', async () => {
  using temp = tempFolder()
  const dir = temp.path
  writeCatalogFolder(dir, {})
  const usage = async (args: string[], importers = IMPORTERS) => {
    const error = await importInto([...args, '--dir', dir], readConfig, importers).catch(
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(WrongUsage)
    return String(error.message)
  }
  expect(await usage(['hello:Ada', '--language', 'Welsh'])).toContain('--language')
  expect(await usage(['hello:Ada', '--as', 'greetings'])).toContain('"greetings" is not one of')
  expect(await usage(['x', '--as', 'nothing'], WITH_TOY)).toEndWith('greetings.')
})

test('every kind of source and every option of one is in the docs and in the help', async () => {
  const docs = await Bun.file(join(import.meta.dir, '../../../docs/catalog/importing.md')).text()
  const help = CATALOG.options?.map(([option]) => option.split(' ')[0])
  for (const { name, options = {} } of IMPORTERS) {
    expect(docs).toContain(`| \`${name}\` |`)
    for (const option of Object.keys(options)) expect(help).toContain(`--${option}`)
  }
})
