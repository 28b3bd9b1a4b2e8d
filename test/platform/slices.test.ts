import { expect, test } from 'bun:test'
import { atOnce, inSlices } from '../../src/platform/slices.ts'

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
  expect(await inSlices(counting(40, 2))).toBe(40)
  running = false
  expect(others).toBeGreaterThan(3)
  expect(atOnce(counting(40, 0))).toBe(40)
})

test('what goes wrong in a step is what the caller hears', async () => {
  function* broken(): Generator<undefined, number> {
    yield
    throw new Error('no')
  }
  expect(inSlices(broken())).rejects.toThrow('no')
  expect(() => atOnce(broken())).toThrow('no')
})
