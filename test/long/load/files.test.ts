import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerProcess } from '../../support/server-process.ts'
import { resultOf, toolCall } from './calls.ts'
import { becomes } from './figures.ts'
import { Wire } from './wire.ts'
import { loadWorld } from './world.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const FILES = 150
const WITH_FEW_FILES = ['sh', '-c', `ulimit -n ${FILES} && exec "$@"`, 'sh', process.execPath, MAIN]

/** Connections that have begun to say something, more than the server may have open. */
async function takeAllFiles(server: ServerProcess): Promise<{ leave(): void }> {
  const open = (socket: Bun.Socket) => void socket.write('GET / HTTP/1.1\r\n')
  const handlers = { open, data() {}, error() {} }
  const connect = () => Bun.connect({ hostname: '127.0.0.1', port: server.port, socket: handlers })
  const sockets = await Promise.all(Array.from({ length: 2 * FILES }, connect))
  await becomes(() => readdirSync(`/proc/${server.pid}/fd`).length === FILES)
  return {
    leave() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

test.each([
  ['the first push is sent', true],
  ['it has just started', false],
])(
  'when there is no file descriptor left while %s it lives, and serves again afterwards',
  async (_, warm) => {
    await using world = await loadWorld({
      subscribers: 1,
      people: 1,
      tokens: 1,
      program: WITH_FEW_FILES,
    })
    const [token = ''] = world.tokens
    await using server = await world.start()
    const ask = (wire: Wire, requestId: string) =>
      wire.send(
        toolCall({ era: 'old', token }, 'ask_user', { question: 'Go on?', requestId, wait: false }),
      )
    const early = new Wire(server.url)
    await early.send({ method: 'GET', path: warm ? '/sign-in' : '/healthz' })
    const others = await takeAllFiles(server)
    const meanwhile = await ask(early, 'meanwhile')
    // What is not loaded yet cannot be now.
    expect(warm ? [200] : [200, 500]).toContain(meanwhile.status)
    others.leave()
    // Pushes go out, the one of before too: it is tried again.
    const after = new Wire(server.url)
    const stored = meanwhile.status === 200 ? [resultOf(meanwhile).correlationId] : []
    expect(stored).not.toContain(undefined)
    const ids = stored.map(String)
    await becomes(async () => {
      const reply = await ask(after, 'afterwards').catch(() => undefined)
      if (reply?.status !== 200) return false
      ids.push(String(resultOf(reply).correlationId))
      return true
    })
    expect(ids.length).toBeGreaterThan(0)
    expect(await becomes(() => ids.every((id) => world.push.asked(id) === 1))).toBe(true)
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  60_000,
)
