import { expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SEED } from '../../support/seed.ts'
import { serverProcess } from '../../support/server-process.ts'
import { howOften, isLong } from '../../support/share.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { ask, type LoadOn, load } from './load.ts'
import { differences, type Ledger } from './oracle.ts'
import { type Random, seeded } from './random.ts'
import { readData } from './read-data.ts'
import { canWatch, type Range, watchSyncs } from './unsynced.ts'
import { crashWorld, letClaimsRunOut, signIn } from './world.ts'

const ROUNDS = howOften(1, 30)
// Of the load before the power is gone.
const LONGEST_MS = isLong ? 2_500 : 1_000
const SECTOR = 512

/** The power is gone: of what was not synced any sector may be there or not. */
function lose(data: string, unsynced: Map<string, Range[]>, random: Random): number {
  // Memory that processes share, and no more than that.
  rmSync(join(data, 'beckon.db-shm'), { force: true })
  let lost = 0
  const share = random.pick([0, 0.5, 0.9]) ?? 0
  for (const [name, ranges] of unsynced) {
    const path = join(data, name)
    if (!/\.db(-wal)?$/.test(name)) continue
    const bytes = readFileSync(path)
    for (const [from, until] of ranges) {
      // The file may have been cut since.
      const to = Math.min(until, bytes.length)
      for (let at = from; at < to; at = (Math.floor(at / SECTOR) + 1) * SECTOR) {
        // Its first sector says the size of a page, before and after.
        if (name === 'beckon.db' && at < SECTOR) continue
        if (random.chance(share)) continue
        const end = Math.min(to, (Math.floor(at / SECTOR) + 1) * SECTOR)
        bytes.fill(random.between(0, 255), at, end)
        lost += end - at
      }
    }
    writeFileSync(path, bytes)
  }
  return lost
}

test.skipIf(!canWatch)(
  `what clients were told survives a loss of power (TEST_SEED=${SEED})`,
  async () => {
    await using world = await crashWorld()
    using logs = tempFolder()
    const random = seeded(SEED)
    const rounds: Ledger[] = []
    let lost = 0
    let port = 0
    let owner: Record<string, string> | undefined
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await serverProcess(world.data, port)
      port = server.port
      owner ??= await signIn(server.url)
      const on: LoadOn = {
        url: server.url,
        agent: world.agent,
        owner,
        random,
        name: `p${round}`,
        callbackUrl: (path) => world.receiver.url(path, { status: 204 }),
      }
      const watch = await watchSyncs(server.pid, join(logs.path, `${round}`))
      for (const one of rounds.at(-1)?.asks ?? []) one.id = await ask(on, one, true)
      const loading = load(on, 12)
      await Bun.sleep(random.between(200, LONGEST_MS))
      await server.end('SIGKILL')
      rounds.push(await loading)
      lost += lose(world.data, await watch.unsynced(), random)
      const { questions, titles, integrity } = readData(world.data)
      expect(integrity).toEqual(['ok'])
      for (const one of rounds) expect(differences(one, questions, titles)).toEqual([])
      letClaimsRunOut(world.data)
    }
    await using last = await serverProcess(world.data, port)
    expect((await last.end('SIGTERM')).code).toBe(0)
    if (isLong) {
      const good = rounds.reduce((all, { acknowledged }) => all + acknowledged, 0)
      console.log(`${ROUNDS} losses of power, ${good} calls acknowledged, ${lost} bytes lost`)
    }
  },
  1_200_000,
)
