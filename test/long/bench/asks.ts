import { askMessage, MCP_PATH, oldHeaders, startBeckon } from './beckon.ts'
import { load, median, startMeasured } from './process.ts'
import type { Row } from './row.ts'

const ROUNDS = 5
// A server runs for weeks: what is measured is compiled already.
const WARM_UP = 3
const SECONDS = 3
const CONNECTIONS = 32

/** `ask_user` with `wait:false` over HTTP, durable, beside the bare runtime and the stock SDK. */
export async function measureAsks(): Promise<Row[]> {
  const server = (file: string, ...more: string[]) =>
    startMeasured((folder) => [
      process.execPath,
      `test/long/bench/servers/${file}`,
      `${folder}/asks.db`,
      ...more,
    ])
  await using beckon = await startBeckon()
  await using durable = await server('raw.ts', 'full')
  await using grouped = await server('raw.ts', 'group')
  await using unsafe = await server('raw.ts', 'normal')
  await using stock = await server('stock-sdk.ts')

  type Server = 'beckon' | 'durable' | 'grouped' | 'unsafe' | 'stock'
  const figures: Record<Server, number[]> = {
    beckon: [],
    durable: [],
    grouped: [],
    unsafe: [],
    stock: [],
  }
  const body = askMessage({ wait: false })
  const stockBody = body.replace('"ask_user"', '"tool_0"')
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const keep = (name: Server, perSecond: number) =>
      round < WARM_UP ? undefined : figures[name].push(perSecond)
    keep('beckon', await asksPerSecond(beckon.url + MCP_PATH, body, beckon.tokens))
    keep('durable', await asksPerSecond(durable.url, body))
    keep('grouped', await asksPerSecond(grouped.url, body))
    keep('unsafe', await asksPerSecond(unsafe.url, body))
    keep('stock', await asksPerSecond(stock.url, stockBody))
  }
  const ours = median(figures.beckon)
  const what = 'ask_user, wait:false, 32 connections, durable'
  const against = (name: Server, beside: string, must?: Row['must']): Row => ({
    what,
    figure: `${Math.round(ours)}/s`,
    beside: `${beside}: ${Math.round(median(figures[name]))}/s`,
    ratio: ours / median(figures[name]),
    must,
  })
  return [
    against('durable', 'A bare Bun.serve and insert, synchronous=FULL', { atLeast: 1 }),
    against('stock', 'B stock SDK, new Server a request, same insert', { atLeast: 2 }),
    against('grouped', 'C as A with group commit', { atLeast: 0.3 }),
    against('unsafe', 'for information: A with synchronous=NORMAL, not durable'),
  ]
}

/** How many durable asks a second the server at `url` takes. */
export async function asksPerSecond(url: string, body: string, tokens?: string[]): Promise<number> {
  const plan = {
    ...{ url, body, headers: oldHeaders(), connections: CONNECTIONS, seconds: SECONDS },
    ...(tokens ? { tokens } : {}),
  }
  const report = await load(plan)
  if (report.failed > 0) throw new Error(`${report.failed} asks failed at ${url}`)
  return report.perSecond
}
