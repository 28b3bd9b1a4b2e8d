import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { configReader, readConfig } from '../../../src/settings.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const lines = readFileSync(`${import.meta.dir}/../../../.env.example`, 'utf8').split('\n')
const set = lines.filter((line) => line !== '' && !line.startsWith('#'))
const environment = Object.fromEntries(
  set.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)

test('.env.example lists exactly the variables that the program knows, as docs/configuration.md orders them', () => {
  const page = readFileSync(`${import.meta.dir}/../../../docs/configuration.md`, 'utf8')
  const rows = [...page.matchAll(/^\| `(BECKON_\w+)` \|/gm)].map(([, name]) => String(name))
  expect(Object.keys(environment)).toEqual(rows)
  expect(set.map((line) => line.split('=')[0]).sort()).toEqual([...configReader.variables].sort())
})

test('.env.example is valid, and changes nothing from the defaults', () => {
  using folder = tempFolder()
  const flags = { data: folder.path }
  expect(readConfig(flags, environment)).toEqual(readConfig(flags, {}))
  expect(configReader.readClientConfig(environment)).toEqual({
    url: 'http://localhost:8484',
    token: undefined,
  })
})
