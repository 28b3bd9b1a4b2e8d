import { afterAll, beforeAll, expect, test } from 'bun:test'
import { questionMessage } from '../../../src/ask/delivery/question-message.ts'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { aQuestion } from '../../support/question.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const EFFECT = 'The customer gets the money at once.'

test('what a program says of a yes is on page, card and push, and a high risk is asked twice', async () => {
  const detail = { effect: EFFECT, risk: 'high' } as const
  const id = await world.ask({ question: 'Refund?', detail })
  const yes = (more = {}) => world.post(`/d/${id}/answer`, { value: 'yes', ...more })
  const twice = await (await yes()).text()
  expect(twice).toContain('Are you sure?')
  for (const page of [`/d/${id}`, `/inbox?open=${id}`]) {
    const text = await (await world.get(page)).text()
    expect(text).toContain(EFFECT)
    expect(text).toMatch(/<dt>Risk<.dt><dd[^>]*>High</)
  }
  expect(twice).toContain(EFFECT)
  await yes({ sure: 'yes' })
  const deps = { db: world.db, clock: systemClock }
  const question = await readQuestion(deps, { workspaceId: world.workspaceId }, id)
  expect(question).toMatchObject({ status: 'answered', value: 'yes' })
})

test('a high risk is never one tap, a low one may be', () => {
  const messageOf = (risk: 'low' | 'high') =>
    questionMessage(aQuestion('1', { question: 'Refund?', detail: { effect: EFFECT, risk } }))
      .message
  expect(messageOf('low')).toMatchObject({ question: { quick: true } })
  expect(messageOf('high')).toMatchObject({ question: { quick: false } })
  expect(messageOf('low').body).toContain(`${EFFECT}\nRisk: low`)
})
