import { expect, test } from 'bun:test'
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { SEED } from '../../support/seed.ts'
import { serverProcess } from '../../support/server-process.ts'
import { CAN_MOUNT } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'
import { ask, type LoadOn, load } from './load.ts'
import { differences, emptyLedger } from './oracle.ts'
import { seeded } from './random.ts'
import { readData } from './read-data.ts'
import { crashWorld, signIn } from './world.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const SAID = '"detail":"The disk of the server is full; nothing was recorded.'
const SAID_BY_TOOLS = 'The disk of the server is full; nothing was recorded.'

test.skipIf(!CAN_MOUNT)(
  `what clients were told survives a disk that fills up under load (TEST_SEED=${SEED})`,
  async () => {
    await using world = await crashWorld(12)
    await using server = await serverProcess(world.data)
    const on: LoadOn = {
      url: server.url,
      agent: world.agent,
      owner: await signIn(server.url),
      random: seeded(SEED),
      name: 'full',
      callbackUrl: (path) => world.receiver.url(path, { status: 204 }),
    }
    let over = false
    const ledger = emptyLedger()
    const loading = load(on, 8, () => over, ledger)
    const filler = join(world.data, 'filler')
    const asks = async (key: string) => {
      const entry = {
        key,
        question: `${key}?`,
        callback: undefined,
        id: undefined,
        ended: undefined,
        tried: [],
      }
      return await ask(on, entry, false).catch((error: Error) => error.message)
    }
    await Bun.sleep(300)
    expect(() => writeFileSync(filler, 'x'.repeat(16_000_000))).toThrow('ENOSPC')
    // Each try has a key of its own: what was recorded into the room left in the log is answered again without a write.
    let tries = 0
    await until(async () => (await asks(`while it is full, try ${++tries}`)).includes(SAID))
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await until(() => ledger.refused.length > 0)
    rmSync(filler)
    await until(async () => (await asks('after it was full')).startsWith('q_'))
    await Bun.sleep(300)
    over = true
    await loading
    expect(ledger.refused.filter((refusal) => !refusal.includes(SAID_BY_TOOLS))).toEqual([])
    ledger.refused = []
    // A client that was refused asks again under its key, and so does one that was not.
    for (const one of ledger.asks) {
      const id = await ask(on, one, true)
      expect(id).toBe(one.id ?? id)
      one.id = id
    }
    await server.end('SIGKILL')
    const { questions, titles, integrity } = readData(world.data)
    expect(integrity).toEqual(['ok'])
    expect(differences(ledger, questions, titles)).toEqual([])
    await using next = await serverProcess(world.data)
    expect((await next.end('SIGTERM')).code).toBe(0)
  },
  120_000,
)

test.skipIf(!CAN_MOUNT)(
  'a start that a full disk ends is one sentence that names the disk, however little is left',
  async () => {
    await using world = await crashWorld(12)
    const filler = join(world.data, 'filler')
    let refused = 0
    for (const left of [0, 33, 40, 44, 48, 52]) {
      expect(() => writeFileSync(filler, 'x'.repeat(16_000_000))).toThrow('ENOSPC')
      truncateSync(filler, statSync(filler).size - left * 1024)
      const { code, err } = await started(world.data)
      rmSync(filler)
      if (code !== 1) continue
      refused += 1
      expect([left, err]).toEqual([
        left,
        expect.stringMatching(/^The disk of [^\n]+ is full[^\n]+\n$/),
      ])
    }
    expect(refused).toBeGreaterThan(1)
  },
  60_000,
)

/** Starts a server, and ends it once it listens. */
async function started(data: string) {
  const args = ['--no-env-file', MAIN, 'serve', '--data', data, '--port', '0']
  const child = Bun.spawn([process.execPath, ...args], { stdout: 'pipe', stderr: 'pipe' })
  const err = new Response(child.stderr).text()
  for await (const _ of child.stdout) child.kill('SIGKILL')
  return { code: await child.exited, err: await err }
}

test.skipIf(!CAN_MOUNT)(
  'a disk that has become read-only is one sentence at the start, until it can be written',
  async () => {
    await using world = await crashWorld(12)
    const remount = (how: string) =>
      Bun.spawnSync(['mount', '-o', `remount,${how}`, world.data]).success
    expect(remount('ro')).toBe(true)
    const { code, out, err } = await beckon(['serve', '--data', world.data, '--port', '0'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^The data folder \S+ cannot be written to \(EROFS\)[^\n]+\n$/)
    expect(remount('rw')).toBe(true)
    await using server = await serverProcess(world.data)
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  60_000,
)
