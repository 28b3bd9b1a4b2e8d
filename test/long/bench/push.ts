import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/platform/db/find-database.ts'
import { MCP_PATH, oldHeaders, oldMessage, startBeckon } from './beckon.ts'
import { connectDevices } from './devices.ts'
import { type Measured, median, processorMs, ROOT, startMeasured } from './process.ts'
import type { Row } from './row.ts'

const DEVICES = 1_000
const ROUNDS = 9
const MUST = 0.3
// The header of RFC 8188 with the sender's key, the byte that ends the text, and the seal.
const SEALED_BYTES = 86 + 1 + 16

/** What a round took, in milliseconds: on the clock, and of the process's own time. */
type Took = { ms: number; cpuMs: number }

/** One notification to a thousand browsers, beside the encryption alone of as many messages. */
export async function measurePush(): Promise<Row[]> {
  const tls = ['key', 'cert'].map((what) =>
    join(ROOT, 'test', 'fixtures', 'tls', `local-${what}.pem`),
  )
  return [await measure('http', []), await measure('https', tls)]
}

async function measure(scheme: string, tls: string[]): Promise<Row> {
  await using service = await startMeasured(() => bench('push-receiver.ts', ...tls))
  await using encryption = await startMeasured(() => bench('web-push.ts', `${DEVICES}`))
  await using beckon = await startBeckon({
    BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    ...(tls[1] ? { NODE_EXTRA_CA_CERTS: tls[1] } : {}),
  })
  const endpoints = Array.from({ length: DEVICES }, (_, i) => `${service.url}/push/${i}`)
  await connectDevices(beckon, endpoints)
  using watch = watchReceipts(beckon.folder)

  const ours: Took[] = []
  const theirs: Took[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const took = await notifyAll(beckon, watch)
    const { taken, bytes } = await ask<{ taken: number; bytes: number }>(service)
    if (taken !== (round + 1) * DEVICES) throw new Error(`${taken} messages arrived`)
    const beside = await ask<Took>(encryption, 'x'.repeat(bytes - SEALED_BYTES))
    // The first round connects and warms the compilers up.
    if (round === 0) continue
    ours.push(took)
    theirs.push(beside)
  }
  return {
    what: `one notification to ${DEVICES} Web Push devices over ${scheme}, until every receipt is on disk`,
    figure: renderMedian(ours),
    beside: `web-push encrypting as many, one core: ${renderMedian(theirs)}`,
    // Each beside its neighbour in time: what else the machine does meets both.
    ratio: median(ours.map(({ ms }, i) => (theirs[i]?.ms ?? 0) / ms)),
    must: { atLeast: MUST },
  }
}

function renderMedian(rounds: Took[]): string {
  const [ms, cpuMs] = [middle(rounds, 'ms'), middle(rounds, 'cpuMs')].map(Math.round)
  return `${ms} ms (${cpuMs} ms of a core)`
}

function middle(rounds: Took[], what: keyof Took): number {
  return median(rounds.map((round) => round[what]))
}

async function notifyAll(
  beckon: Measured & { tokens: string[] },
  watch: ReturnType<typeof watchReceipts>,
): Promise<Took> {
  const due = watch.accepted() + DEVICES
  const cpuBefore = await processorMs(beckon.pid)
  const startedAt = performance.now()
  const response = await fetch(beckon.url + MCP_PATH, {
    method: 'POST',
    headers: oldHeaders(beckon.tokens[0]),
    body: oldMessage('tools/call', { name: 'send_notification', arguments: NOTIFICATION }),
  })
  const text = await response.text()
  while (watch.accepted() < due) {
    if (performance.now() - startedAt > 30_000) throw new Error(`not all arrived: ${text}`)
    await Bun.sleep(1)
  }
  const ms = performance.now() - startedAt
  return { ms, cpuMs: (await processorMs(beckon.pid)) - cpuBefore }
}

const NOTIFICATION = {
  title: 'The migration is done',
  body: 'All 48 tables were moved and compared; two indexes are still being built in the background.',
  agentName: 'Bench - shop',
}

/** Looks into the database beside the server: what is there is on disk. */
function watchReceipts(folder: string): Disposable & { accepted(): number } {
  const connection = new Database(join(folder, DATABASE_FILE), { readonly: true })
  const count = connection.prepare<{ accepted: number }, []>(
    "select count(*) accepted from deliveries where state = 'accepted'",
  )
  return {
    accepted: () => count.get()?.accepted ?? 0,
    [Symbol.dispose]() {
      count.finalize()
      connection.close()
    },
  }
}

function bench(file: string, ...more: string[]): string[] {
  return [process.execPath, join(import.meta.dir, 'servers', file), ...more]
}

async function ask<T>({ url }: Measured, body?: string): Promise<T> {
  const init = body === undefined ? {} : { method: 'POST', body }
  const response = await fetch(url, { ...init, tls: { rejectUnauthorized: false } })
  return (await response.json()) as T
}
