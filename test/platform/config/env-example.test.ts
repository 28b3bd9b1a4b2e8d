import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { readClientConfig, readConfig } from '../../../src/platform/config/config.ts'
import { VARIABLES } from '../../../src/platform/config/env.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const lines = readFileSync(`${import.meta.dir}/../../../.env.example`, 'utf8').split('\n')
const set = lines.filter((line) => line !== '' && !line.startsWith('#'))
const environment = Object.fromEntries(
  set.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)

test('.env.example lists exactly the variables that the program knows, in its order', () => {
  expect(Object.keys(environment)).toEqual([...VARIABLES])
  expect(set).toHaveLength(VARIABLES.length)
})

test('.env.example is valid, and changes nothing from the defaults', () => {
  using folder = tempFolder()
  const flags = { data: folder.path }
  expect(readConfig(flags, environment)).toEqual(readConfig(flags, {}))
  expect(readClientConfig(environment)).toEqual({ url: 'http://localhost:8484', token: undefined })
})
