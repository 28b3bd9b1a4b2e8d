import { expect, test } from 'bun:test'
import { endOfTurn } from '../../src/kernel/turn.ts'

test('everyone who asks in one turn goes on together, when the turn is over', async () => {
  const said: string[] = []
  const worker = async (name: string) => {
    said.push(`${name} is ready`)
    await endOfTurn()
    said.push(`${name} goes`)
  }
  const first = worker('a')
  const second = Promise.resolve().then(() => worker('b'))
  await Promise.all([first, second])
  expect(said).toEqual(['a is ready', 'b is ready', 'a goes', 'b goes'])
})

test('the next turn has an end of its own', async () => {
  const first = endOfTurn()
  await first
  const second = endOfTurn()
  expect(second).not.toBe(first)
  await second
})
