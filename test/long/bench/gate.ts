import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { confirmTool } from '../../support/confirm-tool.ts'
import { type GateProcess, lineProcess } from '../../support/gate-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type Beckon, openItsDatabase, startBeckon } from './beckon.ts'
import { builtBinary } from './binary.ts'
import { percentile } from './hook.ts'
import { residentBytes } from './process.ts'
import type { Row } from './row.ts'

const SERVER = [process.execPath, join(import.meta.dir, 'servers', 'echo.ts')]
const CALLS = 1_000
const WARM_UP = 100
const RATIO_MAX = 2

/** What a tool call that needs nobody costs behind a gate, and the memory of the gate. */
export async function measureGate(): Promise<Row[]> {
  await using beckon = await startBeckon()
  using home = tempFolder()
  const binary = process.env.BENCH_BINARY ?? builtBinary()
  const env = {
    ...{ HOME: home.path, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' },
    ...{ BECKON_URL: beckon.url, BECKON_TOKEN: beckon.tokens[0] ?? '' },
  }
  await using gated = lineProcess([binary, 'gate', 'echo', '--', ...SERVER], { env })
  await using direct = lineProcess(SERVER, { env })
  const idle = join(home.path, 'idle.ts')
  writeFileSync(idle, 'setInterval(() => {}, 1e6)\nconsole.log("{}")')
  await using bare = lineProcess([process.execPath, idle])
  await Promise.all([gated.begin(), direct.begin(), bare.until(() => true)])
  await confirmEcho(beckon)
  // The gate learns of it with the next list.
  await gated.request('tools/list')
  const { through, straight } = await measureCalls(gated, direct)
  const [memory, least] = [await residentBytes(gated.pid), await residentBytes(bare.pid)]
  return [
    {
      what: `compiled binary: a trivial call through a gate, p50 of ${CALLS}`,
      figure: `${through.toFixed(2)} ms`,
      beside: `without a gate: ${straight.toFixed(2)} ms`,
      ratio: through / straight,
      must: { atMost: RATIO_MAX },
    },
    {
      what: 'memory of a gate after these calls',
      figure: `${(memory / 1024 ** 2).toFixed(0)} MB`,
      beside: `a process of the runtime that does nothing: ${(least / 1024 ** 2).toFixed(0)} MB`,
      ratio: memory / least,
      must: undefined,
    },
  ]
}

async function confirmEcho({ folder, env }: Beckon): Promise<void> {
  await using db = await openItsDatabase(folder, env)
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  await confirmTool(db, workspaceId, 'echo')
}

/** Both in turn, so that what else the machine does strikes both. */
async function measureCalls(gated: GateProcess, direct: GateProcess) {
  const times = { through: [] as number[], straight: [] as number[] }
  for (let call = 0; call < CALLS + WARM_UP; call++) {
    for (const [into, server] of [
      [times.through, gated],
      [times.straight, direct],
    ] as const) {
      const startedAt = performance.now()
      await server.call('echo', { message: 'hello' })
      if (call >= WARM_UP) into.push(performance.now() - startedAt)
    }
  }
  return { through: percentile(times.through, 0.5), straight: percentile(times.straight, 0.5) }
}
