import { join } from 'node:path'
import { residentBytes } from '../bench/process.ts'
import type { Standing } from './generator.ts'
import type { GeneratorReport } from './ground.ts'
import { differences } from './oracle.ts'
import { type Amounts, type GeneratorPlan, peopleFor, tokensFor } from './plan.ts'
import {
  coresOf,
  figuresOf,
  memoryOf,
  type Sampling,
  type Second,
  startSampling,
} from './sample.ts'
import { complaintsIn, type How, loadWorld } from './world.ts'

export type Report = {
  amounts: Amounts
  traffic: GeneratorReport
  /** What no document speaks of, and what the oracle found. */
  wrong: string[]
  seconds: Second[]
  memory: ReturnType<typeof memoryOf> & { empty: number }
  /** Cores that the server and the generator kept busy. */
  cores: ReturnType<typeof coresOf>
  pushes: { received: number; decrypted: number }
  exitCode: number
}

/** Starts the server and the load on it, each as a process of its own, and compares at the end. */
export async function runLoad(
  amounts: Amounts,
  { program, say = () => {} }: How = {},
): Promise<Report> {
  const size = { subscribers: amounts.subscribers, people: peopleFor(amounts) }
  await using world = await loadWorld({ ...size, tokens: tokensFor(amounts), program })
  await using server = await world.start()
  const cookies = await world.signIn(server.url)
  const file = join(world.data, 'told.json')
  const plan = { ...amounts, url: server.url, tokens: world.tokens, cookies, told: file }
  const empty = (await residentBytes(server.pid)) / 1024 / 1024
  const generator = startGenerator(plan)
  let sampling: Sampling | undefined
  for await (const standing of standings(generator.stdout)) {
    sampling ??= startSampling(server, generator.pid)
    say(lineOf(standing, sampling.seconds.at(-1)))
  }
  const code = await generator.exited
  await sampling?.stop()
  const seconds = sampling?.seconds ?? []
  if (code !== 0) throw new Error(`the generator ended with ${code}`)
  const traffic: GeneratorReport = await Bun.file(file).json()
  await pushesArrived(server.url, say)
  const ended = await server.end('SIGTERM')
  const wrong = [...traffic.unknown, ...differences(world.data, traffic, world.push)]
  wrong.push(...complaintsIn(ended.err))
  return {
    ...{
      amounts,
      traffic,
      wrong,
      seconds,
      memory: { empty, ...memoryOf(seconds) },
      exitCode: ended.code,
    },
    cores: coresOf(seconds),
    pushes: { received: world.push.received(), decrypted: world.push.decrypted() },
  }
}

function startGenerator(plan: GeneratorPlan) {
  const file = join(import.meta.dir, 'generator.ts')
  return Bun.spawn([process.execPath, file], {
    stdin: new Blob([JSON.stringify(plan)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
}

async function* standings(stdout: ReadableStream<Uint8Array>): AsyncGenerator<Standing> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stdout) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

function lineOf(standing: Standing, second: Second | undefined): string {
  const { phase, waiting, pages, counts } = standing
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  const rss = second ? `${Math.round(second.rss)} MiB` : '–'
  return [`${phase}: ${waiting} wait, ${pages} pages, ${rss}`, ...parts].join(', ')
}

// What was promised to devices may take as long as this after the last call.
const LAST_PUSHES_MS = 120_000

async function pushesArrived(url: string, say: (line: string) => void): Promise<void> {
  const end = performance.now() + LAST_PUSHES_MS
  for (;;) {
    const figures = await figuresOf(url)
    const waiting = figures.get('beckon_outbox_waiting{outbox="deliveries"}') ?? 0
    if (waiting === 0 || performance.now() > end) return
    say(`ending: ${waiting} pushes to go`)
    await Bun.sleep(1_000)
  }
}
