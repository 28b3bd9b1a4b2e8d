import { expect, test } from 'bun:test'
import { ROWS } from '../http/who/rows.ts'
import { TOOLS } from './targets/mcp.ts'
import { TARGETS } from './targets.ts'

const covered = new Set(TARGETS.flatMap(({ of }) => of))

test('every tool of both MCP addresses has a target', () => {
  expect(TOOLS.length).toBeGreaterThan(7)
  expect(TOOLS.filter((tool) => !covered.has(tool))).toEqual([])
})

// Its rows are held against the router in test/http/who-may-do-what.test.ts.
test('every route of the server has a target', () => {
  expect(ROWS.length).toBeGreaterThan(150)
  expect(ROWS.map(({ route }) => route).filter((route) => !covered.has(route))).toEqual([])
})

test('no two targets have the same name', () => {
  const names = TARGETS.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
