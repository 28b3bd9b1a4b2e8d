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

const request = {
  actionRequests: [{ name: 'remove', args: { id: 7 } }],
  reviewConfigs: [{ actionName: 'remove', allowedDecisions: ['approve', 'edit', 'reject'] }],
}

test('a person who says no may type other arguments, which are approved as a call of their own', async () => {
  await using who = await person()
  const decided = decideInterrupts([{ id: 'i1', value: request }], {
    server: who.server,
    instead: true,
  })
  await who.say('remove?', 'no')
  await who.say('In place of remove?', 'Other arguments')
  await who.say('The arguments of remove, as JSON?', '{"id": 8}')
  const [question] = await who.answer('yes')
  expect(question).toMatchObject({ question: 'remove?', action: 'remove {"id":8}' })
  const editedAction = { name: 'remove', args: { id: 8 } }
  expect(await decided).toEqual({ i1: { decisions: [{ type: 'edit', editedAction }] } })
  expect(await who.audit('permit.used')).toHaveLength(1)
})

test('other arguments that are declined, or are no object, change nothing', async () => {
  await using who = await person()
  for (const typed of ['[8]', '{"id":']) {
    const decided = decideInterrupts([{ id: typed, value: request }], {
      server: who.server,
      instead: true,
    })
    await who.say('remove?', 'no')
    await who.say('In place of remove?', 'Other arguments')
    await who.say('The arguments of remove, as JSON?', typed)
    const { decisions } = (await decided)[typed] ?? {}
    expect(decisions).toMatchObject([
      { type: 'reject', message: expect.stringContaining('no JSON object') },
    ])
  }
  const declined = decideInterrupts([{ id: 'i2', value: request }], {
    server: who.server,
    instead: true,
  })
  await who.say('remove?', 'no')
  await who.say('In place of remove?', 'Other arguments')
  await who.say('The arguments of remove, as JSON?', '{"id": 9}')
  await who.say('remove?', 'no')
  expect((await declined).i2?.decisions).toMatchObject([{ type: 'reject' }])
  expect(await who.audit('permit.used')).toEqual([])
})

test('the text of a person stands in place of the result', async () => {
  await using who = await person()
  const decided = decideInterrupts([{ id: 'i1', value: request }], {
    server: who.server,
    instead: true,
  })
  await who.say('remove?', 'no')
  await who.say('In place of remove?', 'My own text as its result')
  await who.say('The result of remove?', 'It is gone already.')
  const decision = { type: 'reject', message: 'It is gone already.' } as const
  expect(await decided).toEqual({ i1: { decisions: [decision] } })
})

test('where the middleware allows no edit, none is offered', async () => {
  await using who = await person()
  const { actionRequests } = request
  const decided = decideInterrupts([{ id: 'i1', value: { actionRequests } }], {
    server: who.server,
    instead: true,
  })
  await who.say('remove?', 'no')
  await who.say('In place of remove?', 'Nothing, it is declined')
  expect((await decided).i1?.decisions).toEqual([
    { type: 'reject', message: 'A person declined this call.' },
  ])
})

test('no permit is used up before all calls are decided', async () => {
  await using who = await person()
  const actionRequests = [
    { name: 'remove', args: { id: 7 } },
    { name: 'send', args: { id: 8 } },
  ]
  const decided = decideInterrupts([{ id: 'i1', value: { actionRequests } }], who)
  await who.say('remove?', 'yes')
  await who.say('send?', 'no')
  expect((await decided).i1?.decisions).toMatchObject([{ type: 'approve' }, { type: 'reject' }])
  expect(await who.audit('permit.used')).toHaveLength(1)
})

test.each(['edit', 'approve'])(
  'arguments are changed where the middleware allows it: %s',
  async (allowed) => {
    await using who = await person()
    const edit = { type: 'object', properties: { id: { type: 'integer' } } } as const
    const reviewConfigs = [
      { actionName: 'remove', allowedDecisions: ['approve', 'reject', allowed] },
    ]
    const decided = decideInterrupts([{ id: 'i1', value: { ...request, reviewConfigs } }], {
      server: who.server,
      tools: { remove: { edit } },
    })
    await who.say('remove?', 'yes', allowed === 'edit' ? { id: 8 } : undefined)
    const editedAction = { name: 'remove', args: { id: 8 } }
    const decision = allowed === 'edit' ? { type: 'edit', editedAction } : { type: 'approve' }
    expect((await decided).i1?.decisions as unknown[]).toEqual([decision])
    expect(await who.audit('permit.used')).toHaveLength(1)
  },
)
