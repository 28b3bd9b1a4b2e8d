import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { restWorld } from './rest-world.ts'

// The server looks for silent connections every few seconds only.
setDefaultTimeout(60_000)

test('a silent connection is closed, a call that waits is not', async () => {
  await using world = await restWorld({ idleSeconds: 1 })
  const body = { question: 'Anybody?', wait: false }
  const reply = await world.call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body })
  const { correlationId } = reply.body as { correlationId: string }

  const { hostname, port } = new URL(world.url)
  const silent = connect(Number(port), hostname, () =>
    silent.write('POST /api/v1/questions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{'),
  )
  const closed = new Promise<void>((resolve) => silent.on('close', () => resolve()))
  silent.on('error', () => {})
  silent.resume()

  const path = `/api/v1/questions/${correlationId}?timeoutMs=20000`
  const waiting = world.call({ as: 'agent', path })
  await closed
  // The waiting call has been silent for longer than the one that was cut.
  await world.call({
    as: 'member',
    method: 'POST',
    path: `/api/v1/questions/${correlationId}/answer`,
    body: { value: 'yes' },
  })
  expect((await waiting).body).toMatchObject({ status: 'answered', value: 'yes' })
})
