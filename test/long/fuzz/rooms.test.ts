import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOOK_CLIENTS } from '../../../src/agent/clients/clients.ts'
import { ROWS } from '../../ask/http/who/rows.ts'
import { IMPORTER_NAMES } from './targets/importers.ts'
import { TOOLS } from './targets/mcp.ts'
import { PROBES } from './targets/probes.ts'
import { TARGETS } from './targets.ts'

const ROOT = join(import.meta.dir, '../../..')
const covered = new Set(TARGETS.flatMap(({ of }) => of))
const without = (names: readonly string[]) => names.filter((name) => !covered.has(name))

test('every tool of both MCP addresses has a target', () => {
  expect(TOOLS.length).toBeGreaterThan(7)
  expect(without(TOOLS)).toEqual([])
})

// Its rows are held against the router in test/ask/http/who-may-do-what.test.ts.
test('every route of the server has a target', () => {
  expect(ROWS.length).toBeGreaterThan(150)
  expect(without(ROWS.map(({ route }) => route))).toEqual([])
})

test('every client of hooks, every importer and every probe has a target', () => {
  expect(without(HOOK_CLIENTS.map((name) => `hook ${name}`))).toEqual([])
  expect(without(IMPORTER_NAMES.map((name) => `importer ${name}`))).toEqual([])
  expect(without(PROBES.map((name) => `probe ${name}`))).toEqual([])
})

test('a target names functions that there are', () => {
  const paths = [...covered].filter((name) => name.startsWith('src/'))
  const gone = paths.filter((name) => {
    const [path = '', what = ''] = name.split('#')
    return !new RegExp(`\\b${what}\\b`).test(readFileSync(join(ROOT, path), 'utf8'))
  })
  expect(gone).toEqual([])
})

test('no two targets have the same name', () => {
  const names = TARGETS.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
