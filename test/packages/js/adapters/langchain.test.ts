import { expect, test } from 'bun:test'
import { decideInterrupts } from '../../../../packages/js/src/langchain.ts'
import { person } from './person.ts'

// With the framework itself: test/long/frameworks.
test('every call of an interrupt has a decision of its own, in order', async () => {
  await using who = await person()
  const actionRequests = [
    { name: 'read', args: { n: Number.NaN } },
    { name: 'remove', args: { id: 7 } },
  ]
  const decided = decideInterrupts([{ id: 'i1', value: { actionRequests } }], who)
  await who.answer('yes')
  expect(await decided).toMatchObject({
    i1: { decisions: [{ type: 'reject' }, { type: 'approve' }] },
  })
})

test('an interrupt of something else is an error, not a decision', async () => {
  for (const interrupt of [{ id: 'i1', value: 'Which one?' }, { value: { actionRequests: [] } }]) {
    await expect(decideInterrupts([interrupt])).rejects.toThrow(TypeError)
  }
})
