import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import type { GatedCall } from '../../../src/ask/wire/gated-call.ts'
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

test('a program and a gate have no terminal to leave a question to, whoever sends the form', async () => {
  const gate = { server: 'shop', tool: 'pay', state: 'same' } as unknown as GatedCall
  for (const detail of [
    { ...PAY, risk: 'low' },
    { ...PAY, gate },
  ] satisfies Detail[]) {
    const id = await world.ask({ question: 'May I?', detail })
    const form = await world.post(`/d/${id}/terminal`, { from: 'decide_page' })
    const rest = await fetch(`${world.url}/api/v1/questions/${id}/hand-over`, {
      method: 'POST',
      headers: { origin: world.url, cookie: world.cookie },
    })
    const { detail: why } = (await rest.json()) as { detail: string }
    expect([form.status, rest.status]).toEqual([403, 403])
    expect(why).toContain('has no terminal')
    const page = await (await world.get(`/d/${id}`)).text()
    expect(page).toContain('value="yes"')
  }
  const id = await world.ask({ detail: { toolName: 'Bash', action: 'npm test' } })
  expect((await world.post(`/d/${id}/terminal`, { from: 'decide_page' })).status).toBe(303)
})

test('what a tool says of itself stands once, also where it changed', async () => {
  const own = { title: 'Payments', description: 'Pays the supplier.' }
  const base = { server: 'shop', tool: 'pay', ...own }
  const change = (part: string, after: string) => ({ part, before: 'Lists suppliers.', after })
  const both = [change('Title', own.title), change('What it says it does', own.description)]
  const times = async (gate: object, words: string) => {
    const detail = { ...PAY, gate: { ...base, ...gate } as unknown as GatedCall }
    const page = await (await world.get(`/d/${await world.ask({ detail })}`)).text()
    const text = page.replace(/<(script|head)[\s\S]*?<\/\1>|<[^>]*>/g, '')
    return text.split(words).length - 1
  }
  expect(await times({ state: 'same' }, own.description)).toBe(1)
  expect(await times({ state: 'changed', changes: both }, own.description)).toBe(1)
  expect(await times({ state: 'changed', changes: both }, own.title)).toBe(1)
  expect(await times({ state: 'changed', changes: both.slice(1) }, own.title)).toBe(1)
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
