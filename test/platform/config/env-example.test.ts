import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { configReader, readConfig } from '../../../src/settings.ts'
import { page } from '../../docs/blocks.ts'
import { envExample } from '../../docs/env-example.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const lines = readFileSync(`${import.meta.dir}/../../../.env.example`, 'utf8').split('\n')
const set = lines.filter((line) => line !== '' && !line.startsWith('#'))
const environment = Object.fromEntries(
  set.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)

test('.env.example is what bun run fix writes from docs/configuration.md', async () => {
  expect(lines.join('\n')).toBe(envExample(await page('docs/configuration.md')))
})

test('.env.example is valid, and its values are the defaults', () => {
  using folder = tempFolder()
  const flags = { data: folder.path }
  expect(readConfig(flags, environment)).toEqual(readConfig(flags, {}))
  expect(configReader.readClientConfig(environment)).toEqual({
    url: 'http://localhost:8484',
    token: undefined,
  })
})
