import { expect, test } from 'bun:test'
import { SMALL } from './plan.ts'
import { runLoad } from './run.ts'

// spec: QS-STATES
test('under held calls, pages, bursts, answers and pushes at once nothing is lost or told twice', async () => {
  const { traffic, wrong, exitCode, seconds, pushes } = await runLoad(SMALL)
  expect(wrong).toEqual([])
  expect(exitCode).toBe(0)
  // The load was really there.
  expect(Math.max(...seconds.map(({ waits }) => waits))).toBeGreaterThan(SMALL.held * 0.8)
  expect(Math.max(...seconds.map(({ streams }) => streams))).toBe(SMALL.pages)
  expect(traffic.heard.length).toBeGreaterThan(0)
  expect(traffic.cancelled.length).toBeGreaterThan(0)
  expect(traffic.counts['asks of bursts']).toBeGreaterThan(SMALL.burst)
  expect(pushes.decrypted).toBeGreaterThan(0)
}, 60_000)
