import { expect, test } from 'bun:test'
import { answerInterrupts } from '../../../../packages/js/src/langgraph.ts'
import { fakeServer } from '../../../../packages/js/src/testing.ts'

// With the framework itself: test/long/frameworks.
const CALL = { tool: 'remove', arguments: { id: 7 } }

test('calls and questions of several nodes are answered, each by its id', async () => {
  const { server, questions } = fakeServer(({ question, type }) =>
    type === 'confirm' ? question !== 'Stop?' : 'left',
  )
  const interrupts = [
    { id: 'a', value: CALL },
    { id: 'b', value: 'Which way?' },
    { id: 'c', value: { question: 'Which one?', choices: ['left', 'right'] } },
    { id: 'd', value: { question: 'Stop?', requestId: 'r', server: { url: 'http://[::1]:1' } } },
  ]
  expect(await answerInterrupts(interrupts, { server })).toMatchObject({
    a: { approved: true },
    b: { status: 'answered', value: 'left' },
    c: { status: 'answered', value: 'left' },
    d: { status: 'declined' },
  })
  // Not what a node says, but the server and the name of the caller.
  expect(questions.map(({ fields }) => fields.requestId)).not.toContain('r')
  expect(await answerInterrupts(undefined, { server })).toEqual({})
})

test('a call that is restored asks nobody again, and its yes is used up', async () => {
  const { server, questions } = fakeServer(() => true)
  const resume = () => answerInterrupts([{ id: 'a', value: CALL }], { server })
  expect(await resume()).toMatchObject({ a: { approved: true } })
  expect(await resume()).toMatchObject({ a: { approved: false } })
  expect(questions).toHaveLength(1)
})

test('a value that asks nothing is an error, and nobody is asked', async () => {
  const { server, questions } = fakeServer(() => true)
  const values = [undefined, 7, {}, { question: 7 }, { tool: 'remove' }, ['Go?']]
  for (const value of values) {
    const both = [
      { id: 'a', value: 'Go?' },
      { id: 'b', value },
    ]
    await expect(answerInterrupts(both, { server })).rejects.toThrow(TypeError)
  }
  await expect(answerInterrupts([{ value: 'Go?' }], { server })).rejects.toThrow('no id')
  expect(questions).toEqual([])
})
