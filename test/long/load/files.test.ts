import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { PROGRAM } from '../../support/program.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { resultOf, toolCall } from './calls.ts'
import { becomes } from './figures.ts'
import { Wire } from './wire.ts'
import { loadWorld } from './world.ts'

const FILES = 150
// Less than the test may take, so that it says what did not happen.
const PATIENCE_MS = 20_000
const WITH_FEW_FILES = ['sh', '-c', `ulimit -n ${FILES} && exec "$@"`, 'sh', ...PROGRAM]

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
    expect(meanwhile.status).toBe(200)
    others.leave()
    // Pushes go out, the one of before too: it is tried again.
    const after = new Wire(server.url)
    const ids = [String(resultOf(meanwhile).correlationId)]
    const served = await becomes(async () => {
      const reply = await ask(after, 'afterwards').catch(() => undefined)
      if (reply?.status !== 200) return false
      ids.push(String(resultOf(reply).correlationId))
      return true
    }, PATIENCE_MS)
    expect(served).toBe(true)
    expect(await becomes(() => ids.every((id) => world.push.asked(id) === 1), PATIENCE_MS)).toBe(
      true,
    )
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  60_000,
)
