import { expect, test } from 'bun:test'
import { TOOLS } from './targets/mcp.ts'
import { TARGETS } from './targets.ts'

const covered = new Set(TARGETS.flatMap(({ of }) => of))

test('every tool of both MCP addresses has a target', () => {
  expect(TOOLS.length).toBeGreaterThan(7)
  expect(TOOLS.filter((tool) => !covered.has(tool))).toEqual([])
})

test('no two targets have the same name', () => {
  const names = TARGETS.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
