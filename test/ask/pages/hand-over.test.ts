import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Detail = Question['detail']

const CHOICE: Partial<Question> = {
  type: 'select',
  choices: [{ label: 'Tabs' }, { label: 'Spaces' }],
}

const PAY: Detail = { toolName: 'pay', action: 'pay {"amount":20}' }

function requestKey(id: string): string {
  return `request:${JSON.stringify(['model', 'live', 'key_1', null, null, null, id])}`
}

test.each<[string, Detail, boolean, Partial<Question>]>([
  ['an approval that a hook holds', { toolName: 'Bash', action: 'npm test' }, true, {}],
  ['a path outside the scope', { scopePath: 'lib/a.ts' }, true, {}],
  ['a question of the agent', {}, false, {}],
  ['a choice that a hook holds', { toolName: 'AskUserQuestion', allowOther: true }, true, CHOICE],
  ['a choice of the agent', {}, false, CHOICE],
  ['a call of a program', PAY, false, { key: requestKey('action:abc:order-7') }],
  ['a call under another name', PAY, true, { key: requestKey('order-7') }],
  ['a risk, as programs tell it', { ...PAY, risk: 'low' }, false, {}],
  ['a program whose text is cut', { effect: 'Gone.', missing: 7, cut: 'abc' }, false, {}],
])('%s: whether the terminal may decide is offered', async (_what, detail, isOffered, more) => {
  const id = await world.ask({ question: 'May I?', detail, ...more })
  const page = await (await world.get(`/d/${id}`)).text()
  expect(page.includes('Decide in the terminal')).toBe(isOffered)
  expect(page.includes(`id="hand-over-${id}"`)).toBe(isOffered)
})

test('where there is no terminal, what is not shown is not said to be in one', async () => {
  const cut: Detail = { action: 'x', missing: 7, cut: 'abc' }
  for (const [detail, hasTerminal] of [
    [cut, true],
    [{ ...cut, effect: 'Gone.' }, false],
  ] as const) {
    const page = await (await world.get(`/d/${await world.ask({ detail })}`)).text()
    expect(page).toContain('7 characters are')
    expect(page.toLowerCase().includes('terminal')).toBe(hasTerminal)
  }
})
