import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Ask, type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const call = (ask: Ask) => world.call(ask)

async function open(more: object = {}): Promise<string> {
  const body = { question: 'Deploy now?', wait: false, ...more }
  const asked = await call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body })
  expect(asked.status).toBe(200)
  return (asked.body as { correlationId: string }).correlationId
}

const ANY_BODY = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      question: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      type: fc.oneof(fc.constantFrom('confirm', 'select', 'input'), fc.jsonValue()),
      options: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
      questions: fc.jsonValue(),
      title: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      body: fc.oneof(fc.string(), fc.jsonValue()),
      context: fc.jsonValue(),
      doneWhen: fc.string(),
      sessionId: fc.string(),
      allowedPaths: fc.oneof(fc.array(fc.string({ unit: 'binary' })), fc.jsonValue()),
      value: fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string()), fc.jsonValue()),
      note: fc.oneof(fc.string(), fc.jsonValue()),
      name: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      wait: fc.constant(false),
      env: fc.constant('test'),
    },
    { requiredKeys: ['env', 'wait'] },
  ),
)

test('no body and no query makes the server fail', async () => {
  const id = await open({ type: 'input' })
  const targets: Ask[] = [
    { as: 'tester', method: 'POST', path: '/api/v1/questions' },
    { as: 'tester', method: 'POST', path: '/api/v1/notifications' },
    { as: 'tester', method: 'POST', path: '/api/v1/scopes' },
    { as: 'tester', method: 'POST', path: `/api/v1/questions/${id}/cancel` },
    { as: 'member', method: 'POST', path: `/api/v1/questions/${id}/answer` },
    { as: 'member', method: 'POST', path: '/api/v1/keys' },
  ]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), ANY_BODY, async (target, body) => {
      const { status } = await call({ ...target, body })
      expect(status).toBeLessThan(500)
    }),
    { numRuns: 300 },
  )
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const part = encodeURIComponent(text.toWellFormed())
      for (const path of [`activity?cursor=${part}&limit=${part}`, `questions/${part}`, part]) {
        const { status } = await call({ as: 'member', path: `/api/v1/${path}` })
        expect(status).toBeLessThan(500)
      }
    }),
    { numRuns: 100 },
  )
  expect(world.logged).toEqual([])
}, 60_000)
