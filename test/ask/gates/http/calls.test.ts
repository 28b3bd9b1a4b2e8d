import { expect, test } from 'bun:test'
import { listQuestions } from '../../../../src/ask/questions/model/store.ts'
import { httpGateWorld } from '../../../support/http-gate-world.ts'
import { until } from '../../../support/until.ts'

const FIRST_PAGE = { before: undefined, limit: 10 }

const ERAS = ['old', 'modern'] as const

for (const era of ERAS) {
  test(`a call over HTTP is asked about, and runs once after a yes (${era} era)`, async () => {
    await using world = await httpGateWorld(era)
    const client = await world.client()
    const call = client.callTool({ name: 'echo', arguments: { message: 'hi' } })
    const [question] = await world.asked()
    expect(question).toMatchObject({ question: 'Use echo of toy?' })
    expect(question?.detail).toMatchObject({
      action: 'mcp__toy__echo {"message":"hi"}',
      gate: { gate: 'toy', tool: 'echo', state: 'new' },
    })
    expect(world.toy.ran).toEqual([])
    await world.answer(question, 'yes')
    expect(await call).toMatchObject({ content: [{ type: 'text', text: 'hi' }] })
    expect(world.toy.ran).toEqual([['echo', { message: 'hi' }]])
    await until(async () => (await world.permits(question)).length === 2)
    expect(await world.permits(question)).toEqual(['used', 'succeeded'])
  })

  test(`a no over HTTP is a result that says so (${era} era)`, async () => {
    await using world = await httpGateWorld(era)
    const client = await world.client()
    const call = client.callTool({ name: 'echo', arguments: {} })
    const [question] = await world.asked()
    await world.answer(question, 'no', 'not today')
    const result = (await call) as { isError: boolean; content: Array<{ text: string }> }
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toContain('not today')
    expect(world.toy.ran).toEqual([])
  })

  test(`what an owner confirmed runs without asking over HTTP (${era} era)`, async () => {
    await using world = await httpGateWorld(era)
    const client = await world.client()
    await world.confirm('echo', 'steps')
    expect(await client.callTool({ name: 'echo', arguments: { message: 'hi' } })).toMatchObject({
      content: [{ text: 'hi' }],
    })
    const steps: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress)
    // The client of the newer era has its options in the second place.
    const options = era === 'old' ? [undefined, { onprogress }] : [{ onprogress }]
    await client.callTool({ name: 'steps', arguments: {} }, ...(options as []))
    expect(steps).toEqual([1, 2])
  })
}

test('what went unasked over HTTP is stored soon after', async () => {
  await using world = await httpGateWorld()
  const { house } = world
  const client = await world.client()
  await world.confirm('echo')
  const stored = async () => {
    const all = await listQuestions(
      house.app.db.read,
      { workspaceId: house.workspaceId },
      FIRST_PAGE,
    )
    return all.filter(({ detail }) => detail.byRule).map(({ detail }) => detail.action)
  }
  await client.callTool({ name: 'echo', arguments: { message: 'one' } })
  await until(async () => (await stored()).length === 1)
  // A rule that asks counts from the next call on.
  await world.rule({ match: { toolName: 'mcp__toy__echo' }, decision: 'ask', set: {} })
  const asking = client.callTool({ name: 'echo', arguments: { message: 'two' } })
  const [question] = await world.asked()
  await world.answer(question, 'no')
  expect(await asking).toMatchObject({ isError: true })
  expect(await stored()).toEqual(['mcp__toy__echo {"message":"one"}'])
})

test('the agent token stays here, and the secret of the gate goes to its server', async () => {
  await using world = await httpGateWorld()
  await world.client({ 'x-own': 'mine' })
  for (const headers of world.toy.headers) {
    expect(headers.get('authorization')).toBeNull()
    expect(headers.get('x-toy-key')).toBe('toy-secret')
    expect(headers.get('x-own')).toBe('mine')
  }
})
