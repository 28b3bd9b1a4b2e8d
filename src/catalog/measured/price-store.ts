import { and, asc, desc, eq } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import type { Price } from '../facts/fact.ts'
import { catalogPrices } from './table.ts'

export type StoredPrice = typeof catalogPrices.$inferSelect

/** Adds the prices that differ from the last ones seen; resolves to their number. */
export async function addPrices(
  tx: Tx,
  slug: string,
  prices: readonly Price[],
  now: number,
): Promise<number> {
  let added = 0
  for (const price of prices) {
    const last = await lastPrice(tx, slug, price)
    if (last && last.priceUsd === price.priceUsd) continue
    const { url, network, asset, priceUsd } = price
    const rows = await tx
      .insert(catalogPrices)
      .values({ slug, url, network, asset, priceUsd, seenAt: now })
      .onConflictDoNothing()
      .returning({ slug: catalogPrices.slug })
    added += rows.length
  }
  return added
}

/** Every price that was ever seen, of one tool or of all: by address, oldest first. */
export async function readPrices(read: Read, slug?: string): Promise<StoredPrice[]> {
  const { url, network, asset, seenAt } = catalogPrices
  return await read
    .select()
    .from(catalogPrices)
    .where(slug === undefined ? undefined : eq(catalogPrices.slug, slug))
    .orderBy(asc(catalogPrices.slug), asc(url), asc(network), asc(asset), asc(seenAt))
}

async function lastPrice(
  read: Read,
  slug: string,
  { url, network, asset }: Price,
): Promise<StoredPrice | undefined> {
  const table = catalogPrices
  const same = and(
    eq(table.slug, slug),
    eq(table.url, url),
    eq(table.network, network),
    eq(table.asset, asset),
  )
  const [row] = await read.select().from(table).where(same).orderBy(desc(table.seenAt)).limit(1)
  return row
}
