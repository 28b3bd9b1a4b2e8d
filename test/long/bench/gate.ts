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
import { type Call, measureInTurn, openGateOverHttp } from './gate-http.ts'
import { ROOT, residentBytes } from './process.ts'
import type { Row } from './row.ts'

const SERVER = [process.execPath, join(import.meta.dir, 'servers', 'echo.ts')]
const CALLS = 1_000
const SMALL = { message: 'hello' }
const BIG_CALLS = 5
const BIG = { message: 'x'.repeat(1024), times: 16 * 1024 }
const RATIO_MAX = 2

type Program = { what: string; program: string[] }

/** What a tool call that needs nobody costs behind a gate, and the memory of the gate. */
export async function measureGate(): Promise<Row[]> {
  const binary = process.env.BENCH_BINARY ?? builtBinary()
  const programs = [
    { what: 'compiled binary', program: [binary] },
    { what: 'from source', program: [process.execPath, join(ROOT, 'src', 'main.ts')] },
  ]
  const rows: Row[] = []
  await using beckon = await startBeckon()
  for (const one of programs) rows.push(...(await measureStdio(one, beckon)))
  for (const one of programs) rows.push(...(await measureHttp(one)))
  return rows
}

async function measureStdio({ what, program }: Program, beckon: Beckon): Promise<Row[]> {
  using home = tempFolder()
  const env = {
    ...{ HOME: home.path, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' },
    ...{ BECKON_URL: beckon.url, BECKON_TOKEN: beckon.tokens[0] ?? '' },
  }
  await using gated = lineProcess([...program, 'gate', 'echo', '--', ...SERVER], { env })
  await using direct = lineProcess(SERVER, { env })
  const idle = join(home.path, 'idle.ts')
  writeFileSync(idle, 'setInterval(() => {}, 1e6)\nconsole.log("{}")')
  await using bare = lineProcess([process.execPath, idle])
  await Promise.all([gated.begin(), direct.begin(), bare.until(() => true)])
  await confirmEcho(beckon)
  // The gate learns of it with the next list.
  await gated.request('tools/list')
  const calls = { through: callOf(gated), straight: callOf(direct) }
  const small = await measureInTurn(calls, SMALL, CALLS)
  const [memory, least] = [await residentBytes(gated.pid), await residentBytes(bare.pid)]
  return [
    rowOf(`${what}: a trivial call through a gate, p50 of ${CALLS}`, small),
    {
      what: `${what}: memory of a gate after these calls`,
      figure: `${(memory / 1024 ** 2).toFixed(0)} MB`,
      beside: `a process of the runtime that does nothing: ${(least / 1024 ** 2).toFixed(0)} MB`,
      ratio: memory / least,
      must: undefined,
    },
    rowOf(
      `${what}: a result of 16 MiB through a gate, p50 of ${BIG_CALLS}`,
      await measureInTurn(calls, BIG, BIG_CALLS),
    ),
  ]
}

async function measureHttp({ what, program }: Program): Promise<Row[]> {
  await using gate = await openGateOverHttp(program)
  return [
    rowOf(
      `${what}: a trivial call through a gate over HTTP, p50 of ${CALLS}`,
      await measureInTurn(gate.calls, SMALL, CALLS),
    ),
    rowOf(
      `${what}: a result of 16 MiB through a gate over HTTP, p50 of ${BIG_CALLS}`,
      await measureInTurn(gate.calls, BIG, BIG_CALLS),
    ),
  ]
}

type Medians = Record<'through' | 'straight', number> & { relayed?: number }

function rowOf(what: string, { through, straight, relayed }: Medians): Row {
  const relay = relayed === undefined ? '' : `, through a bare relay: ${relayed.toFixed(2)} ms`
  return {
    what,
    figure: `${through.toFixed(2)} ms`,
    beside: `without a gate: ${straight.toFixed(2)} ms${relay}`,
    ratio: through / straight,
    must: { atMost: RATIO_MAX },
  }
}

function callOf(server: GateProcess): Call {
  return async (input) => {
    const answer = await server.call('echo', input as Record<string, unknown>)
    if (!('result' in answer)) throw new Error(JSON.stringify(answer))
    return ''
  }
}

async function confirmEcho({ folder, env }: Beckon): Promise<void> {
  await using db = await openItsDatabase(folder, env)
  const now = clock.now()
  const workspaceId = await db.write((tx) => homeWorkspace(tx, newId('ws', now), now))
  await confirmTool(db, workspaceId, 'echo')
}
