import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import { compareTools } from '../facts/mcp-tools/compare-tools.ts'
import type { ToolList } from '../facts/mcp-tools/tool-list.ts'
import type { ToolListChange } from '../records/tool-changes.ts'
import { addRow, lastRow } from './store.ts'
import { catalogToolDefinitions } from './table.ts'

export type StoredDefinition = typeof catalogToolDefinitions.$inferSelect

/**
 * Compares a list of tools with the one before and stores what differs. The first list of a server,
 * and one after its definitions were deleted, is compared with nothing.
 */
export async function noteToolList(
  tx: Tx,
  slug: string,
  list: ToolList,
  now: number,
): Promise<void> {
  const place = { slug, kind: 'tools', subject: '' } as const
  const last = (await lastRow(tx, place)) as { value: Omit<ToolListChange, 'at'> } | undefined
  const before = await readDefinitions(tx, [slug])
  const isFirst = !last || (last.value.count > 0 && before.length === 0)
  const changes = isFirst ? [] : compareTools(before, list.tools, list.isWhole)
  await putDefinitions(tx, slug, before, list, now)
  if (!isFirst && changes.length === 0) return
  const value = { url: list.url, count: list.tools.length, changes }
  await addRow(tx, { ...place, at: now, value })
}

async function putDefinitions(
  tx: Tx,
  slug: string,
  before: readonly StoredDefinition[],
  { tools, isWhole }: ToolList,
  now: number,
): Promise<void> {
  const table = catalogToolDefinitions
  const stored = new Map(before.map((one) => [one.name, one]))
  for (const { name, hash, definition } of tools) {
    const old = stored.get(name)
    if (old?.hash === hash) continue
    const changed = { hash, definition, changedAt: now }
    await tx
      .insert(table)
      .values({ slug, name, seenAt: now, ...changed })
      .onConflictDoUpdate({ target: [table.slug, table.name], set: changed })
  }
  if (!isWhole) return
  const names = new Set(tools.map(({ name }) => name))
  const gone = before.flatMap(({ name }) => (names.has(name) ? [] : name))
  for (const name of gone)
    await tx.delete(table).where(and(eq(table.slug, slug), eq(table.name, name)))
}

/** The tools that some servers listed last, by name. */
export async function readDefinitions(
  read: Read,
  slugs: readonly string[],
): Promise<StoredDefinition[]> {
  const table = catalogToolDefinitions
  return await read
    .select()
    .from(table)
    .where(inArray(table.slug, [...slugs]))
    .orderBy(asc(table.slug), asc(table.name))
}
