import { expect, test } from 'bun:test'
import { canUseTool, outcomeHooks } from '../../../../packages/js/src/claude-agent-sdk.ts'
import { until } from '../../../support/until.ts'
import { person } from './person.ts'

// With the framework itself: test/long/frameworks.
test('a call that is given up while a person is asked is denied, whatever it is given up with', async () => {
  await using who = await person()
  for (const why of [undefined, null, 'closed']) {
    const { length } = await who.open()
    const controller = new AbortController()
    const permission = canUseTool(who)('Bash', { command: 'ls' }, controller)
    await until(async () => (await who.open()).length > length)
    controller.abort(why)
    expect(await permission).toMatchObject({ behavior: 'deny' })
  }
})

test('a yes changes no input, and holds for one call', async () => {
  await using who = await person()
  const ask = canUseTool({ ...who, tools: { Bash: { label: 'Run a command' } } })
  const { signal } = new AbortController()
  for (const expected of ['allow', 'deny']) {
    const permission = ask('Bash', { command: 'ls' }, { signal })
    const [question] = await who.answer(expected === 'allow' ? 'yes' : 'no')
    expect(question?.question).toBe('Run a command?')
    expect(await permission).toEqual(
      expected === 'allow'
        ? { behavior: 'allow' }
        : { behavior: 'deny', message: 'A person declined this call.' },
    )
  }
})

test('a yes is used up before the call is allowed', async () => {
  await using who = await person()
  const controller = new AbortController()
  const ask = canUseTool(who)
  const allowed = ask('Bash', { command: 'ls' }, controller)
  await who.answer('yes')
  expect(await allowed).toEqual({ behavior: 'allow' })
  expect(await who.audit('permit.used')).toHaveLength(1)
})

const EDIT = { type: 'object', properties: { amount: { type: 'number', maximum: 50 } } } as const

test('what the person changed is the input that runs, and its outcome is reported', async () => {
  await using who = await person()
  const ask = canUseTool({ ...who, tools: { pay: { edit: EDIT } } })
  const { signal } = new AbortController()
  const input = { amount: 20, to: 'DE02' }
  const going = ask('pay', input, { signal })
  await who.say('pay?', 'yes', { amount: 12 })
  const updatedInput = { amount: 12, to: 'DE02' }
  expect(await going).toEqual({ behavior: 'allow', updatedInput })
  expect(input.amount).toBe(20)
  const [{ hooks: [ended] = [] } = {}] = outcomeHooks().PostToolUse
  await ended?.({ tool_name: 'pay', tool_input: updatedInput })
  expect(await who.audit('permit.outcome', 1)).toHaveLength(1)
  // With nothing changed it is a plain yes.
  const same = ask('pay', { amount: 1 }, { signal })
  await who.say('pay?', 'yes')
  expect(await same).toEqual({ behavior: 'allow' })
})
