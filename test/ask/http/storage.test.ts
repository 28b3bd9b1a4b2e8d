import { expect, test } from 'bun:test'
import { restWorld } from './rest-world.ts'

test('a full disk is one sentence and 503, loses nothing, and passes without a restart', async () => {
  await using world = await restWorld()
  const ask = (question: string) =>
    world.call({
      as: 'agent',
      method: 'POST',
      path: '/api/v1/questions',
      body: { question, wait: false, actionBody: 'x'.repeat(4_000) },
    })
  const before = await ask('Before?')
  // SQLite's own limit on pages answers exactly like a disk without room.
  await world.db.orm.run('pragma max_page_count = 1')
  const texts: string[] = ['Before?']
  let refused = before
  for (let i = 0; i < 100 && refused.status === 200; i++) {
    refused = await ask(`Magic word ${i}`)
    if (refused.status === 200) texts.push(`Magic word ${i}`)
  }
  expect([refused.status, refused.body]).toEqual([
    503,
    expect.objectContaining({ code: 'unavailable', detail: expect.stringMatching(/^[^\n]+\.$/) }),
  ])
  expect(world.logged.join()).not.toMatch(/Magic|xxxx/)

  await world.db.orm.run('pragma max_page_count = 1000000')
  texts.push('After?')
  expect((await ask('After?')).status).toBe(200)
  const { body } = await world.call({ as: 'member', path: '/api/v1/inbox' })
  const { questions } = body as { questions: { question: string }[] }
  expect(questions.map(({ question }) => question)).toEqual(texts)
})

test('a server whose disk is full still stops cleanly', async () => {
  const world = await restWorld()
  await world.db.orm.run('pragma max_page_count = 1')
  const body = { question: 'Room?', wait: false, actionBody: 'x'.repeat(4_000) }
  const ask = { as: 'agent', method: 'POST', path: '/api/v1/questions', body } as const
  for (let i = 0; i < 100 && (await world.call(ask)).status === 200; i++);
  expect((await world.call(ask)).status).toBe(503)
  await world[Symbol.asyncDispose]()
})
