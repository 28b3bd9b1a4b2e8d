import type { Tx } from '../../platform/db/database.ts'
import type { AuthoredTool } from '../records/authored.ts'
import { addRow } from './store.ts'

/** A price per unit that a publish changed; null: it was not stated. */
export type PriceChange = {
  item: string
  unit: string
  before: number | null
  after: number | null
}

/** Stores the prices of a record that a publish changed. */
export async function notePrices(
  tx: Tx,
  slug: string,
  changes: readonly PriceChange[],
  at: number,
): Promise<void> {
  for (const change of changes) {
    const { item, unit } = change
    await addRow(tx, { slug, kind: 'price', subject: `${item} per ${unit}`, at, value: change })
  }
}

/** The prices per unit that differ between two versions of a record. */
export function changedPrices(before: AuthoredTool, after: AuthoredTool): PriceChange[] {
  const [old, now] = [pricesOf(before), pricesOf(after)]
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort()
  return keys.flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)]
    const place = is ?? was
    if (!place || was?.usd === is?.usd) return []
    const { item, unit } = place
    return [{ item, unit, before: was?.usd ?? null, after: is?.usd ?? null }]
  })
}

function pricesOf({ unitPrices = [] }: AuthoredTool) {
  return new Map(unitPrices.map((price) => [`${price.item} per ${price.unit}`, price]))
}
