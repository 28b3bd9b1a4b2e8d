import {
  MCP_PATH,
  modernHeaders,
  modernMessage,
  oldHeaders,
  oldMessage,
  startBeckon,
} from './beckon.ts'
import { load, median, startMeasured } from './process.ts'
import type { Row } from './row.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 32
const MUST = 6

/** `tools/list` in both eras, beside the stock SDK. */
export async function measureLists(): Promise<Row[]> {
  await using beckon = await startBeckon()
  await using stock = await startMeasured((folder) => [
    process.execPath,
    'test/long/bench/servers/stock-sdk.ts',
    `${folder}/asks.db`,
  ])
  const figures = { old: [0], modern: [0], stock: [0] }
  for (let round = 0; round <= ROUNDS; round++) {
    const keep = (name: keyof typeof figures, perSecond: number) =>
      round === 0 ? figures[name].splice(0) : figures[name].push(perSecond)
    keep('old', await list(beckon.url + MCP_PATH, oldHeaders(), oldMessage('tools/list')))
    keep(
      'modern',
      await list(beckon.url + MCP_PATH, modernHeaders('tools/list'), modernMessage('tools/list')),
    )
    keep('stock', await list(stock.url, oldHeaders(), oldMessage('tools/list')))
  }
  const beside = median(figures.stock)
  return (['old', 'modern'] as const).map((era) => ({
    what: `tools/list, ${era === 'old' ? '2025-11-25' : '2026-07-28'}`,
    figure: `${Math.round(median(figures[era]))}/s`,
    beside: `B stock SDK, new Server a request: ${Math.round(beside)}/s`,
    ratio: median(figures[era]) / beside,
    must: { atLeast: MUST },
  }))
}

async function list(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const report = await load({ url, body, headers, connections: CONNECTIONS, seconds: SECONDS })
  if (report.failed > 0) throw new Error(`${report.failed} lists failed at ${url}`)
  return report.perSecond
}
