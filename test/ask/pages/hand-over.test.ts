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

test.each<[string, Detail, boolean, Partial<Question>]>([
  ['an approval that a hook holds', { toolName: 'Bash', action: 'npm test' }, true, {}],
  ['a path outside the scope', { scopePath: 'lib/a.ts' }, true, {}],
  ['a question of the agent', {}, false, {}],
  ['a choice that a hook holds', { toolName: 'AskUserQuestion', allowOther: true }, true, CHOICE],
  ['a choice of the agent', {}, false, CHOICE],
])('%s: whether the terminal may decide is offered', async (_what, detail, isOffered, more) => {
  const id = await world.ask({ question: 'May I?', detail, ...more })
  const page = await (await world.get(`/d/${id}`)).text()
  expect(page.includes('Decide in the terminal')).toBe(isOffered)
  expect(page.includes(`id="hand-over-${id}"`)).toBe(isOffered)
})
