import { readdirSync } from 'node:fs'
import type { ServerProcess } from '../../support/server-process.ts'
import { residentBytes } from '../bench/process.ts'
import { createClasses } from './classes.ts'
import { becomes, createTimes, type Spread } from './figures.ts'
import { startOthers } from './others.ts'
import { figuresOf } from './sample.ts'
import { type How, loadWorld, type World } from './world.ts'

/** How many clients misbehave in each storm. */
export type StormSizes = { slow: number; connects: number; held: number; rounds: number }
export const FULL_STORMS: StormSizes = { slow: 1_000, connects: 5_000, held: 10_000, rounds: 2 }
export const SMALL_STORMS: StormSizes = { slow: 30, connects: 250, held: 100, rounds: 2 }

/** What a storm has around it. */
export type Weather = {
  sizes: StormSizes
  world: World
  server: ServerProcess
  cookies: string[]
  /** Something that should not have happened. */
  wrong(what: string): void
}
/** Resolves to how many connections it made. */
export type Storm = { name: string; rage(weather: Weather): Promise<number> }

export type StormRow = {
  name: string
  connections: number
  seconds: number
  /** Memory of the server before, at its highest, and once it was over, MiB. */
  memory: { before: number; peak: number; after: number }
  /** What everybody else had to wait meanwhile: an ask, and a page. */
  others: Spread
  wrong: string[]
}

const TOKENS = 200
const MIB = 1024 * 1024
const LOOK_EVERY_MS = 100

/** Lets one storm after the other loose on a server, and looks what is left of each. */
export async function runStorms(
  storms: readonly Storm[],
  sizes: StormSizes,
  { program, say = () => {} }: How = {},
): Promise<StormRow[]> {
  await using world = await loadWorld({ subscribers: 20, people: 10, tokens: TOKENS, program })
  await using server = await world.start()
  const cookies = await world.signIn(server.url)
  const rows: StormRow[] = []
  for (const storm of storms) {
    say(`${storm.name} …`)
    const row = await runOne(storm, { sizes, world, server, cookies })
    say(
      `… ${row.connections} connections in ${Math.round(row.seconds)} s, ${row.wrong.length} wrong`,
    )
    rows.push(row)
  }
  const { code, err } = await server.end('SIGTERM')
  if (code !== 0) rows.at(-1)?.wrong.push(`the server ended with ${code}: ${err}`)
  return rows
}

async function runOne(storm: Storm, around: Omit<Weather, 'wrong'>): Promise<StormRow> {
  const { server, world } = around
  const classes = createClasses()
  const times = createTimes()
  const memory = async () => (await residentBytes(server.pid)) / MIB
  const [before, filesBefore] = [await memory(), openFiles(server.pid)]
  let peak = before
  const looking = setInterval(async () => {
    peak = Math.max(peak, await memory())
  }, LOOK_EVERY_MS)
  const others = startOthers({ url: server.url, token: world.tokens[0] as string }, classes, times)
  const startedAt = performance.now()
  const connections = await storm.rage({ ...around, wrong: classes.unforeseen })
  const seconds = (performance.now() - startedAt) / 1_000
  await others.stop()
  const held = await heldBack(server, filesBefore)
  if (held) classes.unforeseen(`the server still holds ${held}`)
  clearInterval(looking)
  const after = await memory()
  return {
    ...{ name: storm.name, connections, seconds, others: times.told(), wrong: classes.unknown },
    memory: { before, peak, after },
  }
}

// Connections to the push service stay open for a while, 64 at most; a few more are files.
const FILES_SPARE = 64 + 12

/** What the server still holds, unless it has let go of everybody: waits, streams, connections. */
async function heldBack(server: ServerProcess, filesBefore: number): Promise<string | undefined> {
  let held = ''
  const nothing = await becomes(async () => {
    const figures = await figuresOf(server.url)
    const waits = figures.get('beckon_waits')
    const streams = figures.get('beckon_event_streams')
    const files = openFiles(server.pid)
    held = `${waits} waits, ${streams} streams, ${files} files (before: ${filesBefore})`
    return waits === 0 && streams === 0 && files <= filesBefore + FILES_SPARE
  })
  return nothing ? undefined : held
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
