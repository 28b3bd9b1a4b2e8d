import { eq, inArray } from 'drizzle-orm'
import type { Clock } from '../clock.ts'
import type { Db, Read, Tx } from './database.ts'
import { makeSecrets, type Secrets } from './secrets.ts'
import { settings } from './table.ts'

export async function readSetting(read: Read, name: string): Promise<string | undefined> {
  const [row] = await read.select().from(settings).where(eq(settings.name, name))
  return row?.value
}

/** Stores `value` unless there is one already; returns the stored one. */
export async function keepSetting(tx: Tx, name: string, value: string, now: number) {
  const [row] = await tx
    .insert(settings)
    .values({ name, value, updatedAt: now })
    .onConflictDoNothing()
    .returning()
  return row?.value ?? (await readSetting(tx, name)) ?? value
}

/** Stores `value` in place of any other. */
export async function putSetting(tx: Tx, name: string, value: string, now: number): Promise<void> {
  await tx
    .insert(settings)
    .values({ name, value, updatedAt: now })
    .onConflictDoUpdate({ target: settings.name, set: { value, updatedAt: now } })
}

export async function dropSetting(tx: Tx, name: string): Promise<void> {
  await tx.delete(settings).where(eq(settings.name, name))
}

const NAMES = {
  vapid: 'vapid_keys',
  authSecret: 'auth_secret',
  quickAnswerSecret: 'quick_answer_secret',
} as const satisfies Record<keyof Secrets, string>

/**
 * The server's secrets, made on the first run. If several processes start at once, all use the
 * first one's.
 */
export async function loadSecrets(db: Db, clock: Clock): Promise<Secrets> {
  const existing = await readSecrets(db.read)
  if (existing) return existing
  const secrets = await makeSecrets()
  const now = clock.now()
  return await db.write(async (tx) => ({
    vapid: JSON.parse(await keepSetting(tx, NAMES.vapid, JSON.stringify(secrets.vapid), now)),
    authSecret: await keepSetting(tx, NAMES.authSecret, secrets.authSecret, now),
    quickAnswerSecret: await keepSetting(
      tx,
      NAMES.quickAnswerSecret,
      secrets.quickAnswerSecret,
      now,
    ),
  }))
}

/** The secrets that `loadSecrets` stored; undefined if the server never ran. */
export async function readSecrets(read: Read): Promise<Secrets | undefined> {
  const rows = await read
    .select()
    .from(settings)
    .where(inArray(settings.name, Object.values(NAMES)))
  const byName = new Map(rows.map((row) => [row.name, row.value]))
  const vapid = byName.get(NAMES.vapid)
  const authSecret = byName.get(NAMES.authSecret)
  const quickAnswerSecret = byName.get(NAMES.quickAnswerSecret)
  if (!vapid || !authSecret || !quickAnswerSecret) return undefined
  return { vapid: JSON.parse(vapid), authSecret, quickAnswerSecret }
}
