import { expect, test } from 'bun:test'
import { ask, list, type Progress, wait } from '../../../packages/js/src/client.ts'
import { gate } from '../../../packages/js/src/protect.ts'
import { fakeServer } from '../../../packages/js/src/testing.ts'
import { deviceKey } from '../../../src/ask/delivery/model/links.ts'
import { restWorld } from '../../ask/http/rest-world.ts'

test('a caller reads that it was asked, how many devices it rang, and that one showed it', async () => {
  await using world = await restWorld()
  const token = (world.headersOf('agent').authorization ?? '').replace('Bearer ', '')
  const device = world.browser.id
  const key = deviceKey(world.deps.quickAnswerSecret, device)
  const steps: Progress[] = []
  // The device shows it when it rang, and its person answers when it was shown.
  const onProgress = (progress: Progress) => {
    steps.push(progress)
    const { id, step } = progress
    if (step === 'rang') {
      const path = `/api/v1/subscribers/${device}/shown`
      void world.call({ as: 'nobody', method: 'POST', path, body: { key, id, kind: 'question' } })
    }
    if (step === 'shown') {
      const path = `/api/v1/questions/${id}/answer`
      void world.call({ as: 'member', method: 'POST', path, body: { value: 'yes' } })
    }
  }
  const server = { url: world.url, token }
  const outcome = await ask.confirm('Deploy?', { server, onProgress })
  if (outcome.status !== 'answered') throw new Error(outcome.status)
  const { id } = outcome
  const answerUrl = expect.stringContaining(id)
  expect(steps).toEqual([
    { step: 'asked', id, answerUrl },
    { step: 'rang', id, answerUrl, addressed: 1, accepted: 1 },
    { step: 'shown', id, answerUrl, addressed: 1, accepted: 1, shown: 1 },
  ])
})

/** A fake server that does not know how far a question is. */
function olderServer() {
  const fake = fakeServer()
  const { fetch: of } = fake.server
  const fetch = async (input: string | URL, init?: RequestInit) =>
    String(input).endsWith('/delivery')
      ? Response.json({ code: 'not_found', detail: 'No such address.' }, { status: 404 })
      : ((await of?.(input, init)) as Response)
  return { fake, server: { ...fake.server, fetch: fetch as typeof globalThis.fetch } }
}

test('what an older server does not say is not reported, and what a report throws changes nothing', async () => {
  const { fake, server } = olderServer()
  const steps: string[] = []
  const onProgress = ({ step, id }: Progress) => {
    steps.push(step)
    queueMicrotask(() => fake.answer(id, true))
    throw new Error('A full disk.')
  }
  const decision = await gate('deploy', { to: 'staging' }, { server, onProgress })
  expect(decision).toMatchObject({ allowed: true })
  expect(steps).toEqual(['asked'])
  expect(fake.questions[0]?.fields).not.toHaveProperty('onProgress')
})

test('a wait that goes on follows the question, too', async () => {
  const fake = fakeServer()
  const { server } = fake
  const first = await ask.confirm('Deploy?', { server, waitMs: 1 })
  const steps: string[] = []
  const onProgress = ({ step, id }: Progress) => {
    steps.push(step)
    if (step === 'shown') fake.answer(id, true)
  }
  if (first.status !== 'waiting') throw new Error(first.status)
  expect(await wait(first.id, { server, onProgress })).toMatchObject({ status: 'answered' })
  expect(steps).toEqual(['asked', 'rang', 'shown'])
})

test('a fake server lists by session, page by page', async () => {
  const { server } = fakeServer(() => true)
  for (const sessionId of ['a', 'b', 'a', 'a']) await ask.confirm('Deploy?', { server, sessionId })
  const query = { state: 'ended', sessionId: 'a', limit: 2, server } as const
  const page = await list(query)
  if (page.status !== 'listed') throw new Error(page.status)
  expect(page.questions.map(({ id }) => id)).toEqual(['q_fake4', 'q_fake3'])
  const rest = await list({ ...query, cursor: page.next ?? '' })
  expect(rest).toMatchObject({ questions: [{ id: 'q_fake1', sessionId: 'a' }] })
  expect(rest).not.toHaveProperty('next')
})
