import { expect, test } from 'bun:test'
import { runAtOnce, runInSteps } from '../../src/platform/run-in-steps.ts'

function* counting(to: number, busyMs: number): Generator<undefined, number> {
  for (let n = 0; n < to; n++) {
    const end = performance.now() + busyMs
    while (performance.now() < end);
    yield
  }
  return to
}

test('long work lets other work go first, and comes to the same as in one piece', async () => {
  let others = 0
  let running = true
  const other = () => {
    others++
    if (running) setTimeout(other, 0)
  }
  setTimeout(other, 0)
  expect(await runInSteps(counting(40, 2))).toBe(40)
  running = false
  expect(others).toBeGreaterThan(3)
  expect(runAtOnce(counting(40, 0))).toBe(40)
})

test('what goes wrong in a step is what the caller hears', async () => {
  function* broken(): Generator<undefined, number> {
    yield
    throw new Error('no')
  }
  expect(runInSteps(broken())).rejects.toThrow('no')
  expect(() => runAtOnce(broken())).toThrow('no')
})
