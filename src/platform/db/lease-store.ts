import { and, eq, lte, ne, or } from 'drizzle-orm'
import type { Clock } from '../clock.ts'
import { repeatEvery } from '../repeat.ts'
import type { Db, Tx } from './database.ts'
import { leases } from './table.ts'

export type Lease = { name: string; holder: string; now: number; until: number }

/** Takes the lease, or renews our own; false while another process has it. */
export async function takeLease(tx: Tx, lease: Lease): Promise<boolean> {
  const { name, holder, now, until } = lease
  const added = await tx
    .insert(leases)
    .values({ name, holder, until })
    .onConflictDoNothing()
    .returning()
  if (added.length > 0) return true
  const free = or(eq(leases.holder, holder), lte(leases.until, now))
  const rows = await tx
    .update(leases)
    .set({ holder, until })
    .where(and(eq(leases.name, name), free))
    .returning()
  return rows.length > 0
}

/** Does `work` and renews a lease of this process meanwhile, for work of unknown length. */
export async function holdLease<T>(
  { db, clock }: { db: Pick<Db, 'write'>; clock: Clock },
  { name, holder, forMs }: { name: string; holder: string; forMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const renew = async () => {
    const now = clock.now()
    await db.write((tx) => takeLease(tx, { name, holder, now, until: now + forMs }))
  }
  // A lease that cannot be renewed runs out by itself.
  await using _renewing = repeatEvery(clock, forMs / 4, renew, () => {})
  return await work()
}

/**
 * Drops all leases but `except`, where no other process can hold one: those that a killed process, or
 * a backup, has left. Writes nothing where there are none.
 */
export async function dropLeases(db: Pick<Db, 'read' | 'write'>, except: string): Promise<void> {
  const others = await db.read.select().from(leases).where(ne(leases.name, except)).limit(1)
  if (others.length === 0) return
  await db.write((tx) => tx.delete(leases).where(ne(leases.name, except)))
}

/** Gives the lease back, so that another process can take it. */
export async function dropLease(tx: Tx, name: string, holder: string): Promise<void> {
  await tx.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder)))
}

/**
 * As `dropLease`, but never throws, for processes that are done or closing. A lease that cannot be
 * given back runs out by itself.
 */
export async function leaveLease(db: Pick<Db, 'write'>, name: string, holder: string) {
  await db.write((tx) => dropLease(tx, name, holder)).catch(() => {})
}
