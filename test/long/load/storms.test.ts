import { expect, test } from 'bun:test'
import { STORMS } from './all-storms.ts'
import { runStorms, SMALL_STORMS } from './storms.ts'

test('slow clients and storms of connections are outlived, others are served, and nothing of them stays', async () => {
  const rows = await runStorms(STORMS, SMALL_STORMS)
  expect(rows.flatMap(({ name, wrong }) => wrong.map((what) => `${name}: ${what}`))).toEqual([])
  expect(rows.map(({ name }) => name)).toEqual(STORMS.map(({ name }) => name))
  for (const { connections, others } of rows) {
    expect(connections).toBeGreaterThan(SMALL_STORMS.held / 10)
    expect(others.count).toBeGreaterThan(0)
  }
}, 120_000)
