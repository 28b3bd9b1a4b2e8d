import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { decideInterruptions } from '../../../../packages/js/src/openai-agents.ts'
import { adapterCases } from './cases.ts'
import { person } from './person.ts'

adapterCases(join(import.meta.dir, 'openai-agents-run.ts'))

/** A state that waits for one call, and what was decided about it. */
function waiting(item: { name?: string; arguments?: string; rawItem: object }) {
  const events: string[] = []
  return {
    events,
    getInterruptions: () => [item],
    approve: () => events.push('approved'),
    reject: (_: object, { message }: { message: string }) => events.push(message),
  }
}

test('arguments that are no JSON, and a call without any, are declined and ask nobody', async () => {
  await using who = await person()
  for (const item of [{ name: 'remove', arguments: '{"id":', rawItem: {} }, { rawItem: {} }]) {
    const state = waiting(item)
    await decideInterruptions(state, who)
    expect(state.events).toEqual(['The arguments of this call cannot be shown.'])
  }
  expect(await who.open()).toEqual([])
})

test('the commands of a shell call are shown', async () => {
  await using who = await person()
  const state = waiting({ name: 'shell', rawItem: { action: { commands: ['rm -r data'] } } })
  const decided = decideInterruptions(state, who)
  const [question] = await who.answer('yes')
  await decided
  expect(question?.action).toBe('shell {"commands":["rm -r data"]}')
  expect(state.events).toEqual(['approved'])
})
