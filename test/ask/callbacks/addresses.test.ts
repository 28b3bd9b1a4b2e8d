import { expect, test } from 'bun:test'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { callbackWorld } from '../../support/callback-world.ts'

test('an address that can never be reached is refused when it is asked, with the field named', async () => {
  await using world = await callbackWorld()
  const { flows } = world
  for (const callbackUrl of [
    'ftp://example.com/hook',
    'http://example.com/hook',
    'https://127.0.0.1/hook',
    'https://10.1.2.3/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/hook',
    'https://localhost/hook',
    'https://user:pass@example.com/hook',
    'javascript:alert(1)',
  ]) {
    const asking = askUser(flows.deps, { question: 'Deploy?', callbackUrl }, flows.call())
    const failure = await asking.then(
      () => undefined,
      (error) => error,
    )
    expect([callbackUrl, failure?.code, failure?.fields[0]?.field]).toEqual([
      callbackUrl,
      'invalid_input',
      'callbackUrl',
    ])
  }
})

test('a name that leads into a private network is found out when it is called, and nothing is sent', async () => {
  await using world = await callbackWorld()
  const guarded = createGuardedFetch({ resolve: async () => ['127.0.0.1'] })
  const strict = world.process('strict', { fetch: guarded.fetch })
  await world.answered('https://hooks.example.com/in')
  await world.send(strict)
  expect(await world.callbacks()).toMatchObject([
    { state: 'waiting', lastStatus: 0, lastError: expect.stringContaining('private network') },
  ])
  expect(world.receiver.received).toEqual([])
})
