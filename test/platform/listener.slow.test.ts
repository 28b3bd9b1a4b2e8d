import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { openListener } from '../../src/platform/http/listener.ts'
import { silentLog } from '../../src/platform/log.ts'

// The server looks for silent connections every few seconds only.
setDefaultTimeout(60_000)

test('an answer that takes longer than silence is allowed arrives', async () => {
  const listener = openListener({
    host: '127.0.0.1',
    port: 0,
    baseUrl: 'http://localhost',
    log: silentLog,
    idleSeconds: 1,
  })
  const { promise, resolve } = Promise.withResolvers<Response>()
  listener.answerWith((request) => listener.holdOpen(request, promise))
  try {
    const waiting = fetch(listener.url)
    await silentConnectionEnds(listener.port)
    resolve(new Response('made at last'))
    expect(await (await waiting).text()).toBe('made at last')
  } finally {
    await listener.stop(0)
  }
})

/** Resolves once a connection that sends half a request is closed by the server. */
async function silentConnectionEnds(port: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n'))
  socket.on('close', () => resolve())
  socket.on('error', () => {})
  socket.resume()
  await promise
}
