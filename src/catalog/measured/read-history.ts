import { isoTime } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import { factValue } from '../facts/facts.ts'
import type { PriceChange } from '../history/prices.ts'
import { readHistoryRows, type StoredHistory, slugsWithHistory } from '../history/store.ts'
import { readDefinitions } from '../history/tool-list-store.ts'
import type { StoredToolHistory, ToolHistory } from '../records/history.ts'
import type { ToolListChange } from '../records/tool-changes.ts'
import { measuredSlugs } from './fact-store.ts'
import { readMonths } from './probe-store.ts'

// Few enough not to block other work of the server.
const TOOLS_AT_ONCE = 20

/** The history of every tool that has one, by slug. Reads a few tools at a time. */
export async function readHistory(read: Read): Promise<ReadonlyMap<string, StoredToolHistory>> {
  const all = new Map<string, StoredToolHistory>()
  const slugs = [...new Set([...(await slugsWithHistory(read)), ...(await measuredSlugs(read))])]
  for (let from = 0; from < slugs.length; from += TOOLS_AT_ONCE) {
    const some = slugs.slice(from, from + TOOLS_AT_ONCE)
    const rows = Map.groupBy(await readHistoryRows(read, some), ({ slug }) => slug)
    const tools = Map.groupBy(await readDefinitions(read, some), ({ slug }) => slug)
    const months = Map.groupBy(await readMonths(read, some), ({ slug }) => slug)
    for (const slug of some) {
      all.set(slug, {
        ...stepsOf(rows.get(slug) ?? []),
        tools: (tools.get(slug) ?? []).map(({ name, hash, seenAt, changedAt }) => ({
          ...{ name, hash, seenAt: isoTime(seenAt), changedAt: isoTime(changedAt) },
        })),
        months: (months.get(slug) ?? []).map(({ month, probes, ok }) => ({ month, probes, ok })),
      })
    }
    await Bun.sleep(0)
  }
  return all
}

function stepsOf(rows: readonly StoredHistory[]) {
  const inTime = rows.toSorted((a, b) => a.at - b.at)
  const of = (kind: StoredHistory['kind']) => inTime.filter((row) => row.kind === kind)
  return {
    toolLists: of('tools').map(({ at, value }) => ({
      at: isoTime(at),
      ...(value as Omit<ToolListChange, 'at'>),
    })),
    prices: of('price').map(({ at, value }) => ({ at: isoTime(at), ...(value as PriceChange) })),
    versions: of('fact').flatMap(versionOf),
    status: of('fact').flatMap(statusOf),
  }
}

function versionOf({ subject, at, value }: StoredHistory): ToolHistory['versions'] {
  const [, registry, name] = /^version (\S+) (\S+)$/.exec(subject) ?? []
  const version = factValue('version', value)
  if (registry === undefined || name === undefined || !version) return []
  return [{ at: isoTime(at), registry, name, ...version }]
}

function statusOf({ subject, at, value }: StoredHistory): ToolHistory['status'] {
  const status = subject === 'vendorStatus' ? factValue('vendorStatus', value) : undefined
  if (!status) return []
  const { indicator, summary } = status
  return [{ at: isoTime(at), indicator, summary }]
}
