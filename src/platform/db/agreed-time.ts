import type { Clock } from '../clock.ts'
import type { Db, Read, Tx } from './database.ts'
import { dropSetting, keepSetting, putSetting, readSetting } from './settings-store.ts'

/** The time for work that cannot be undone. */
export type AgreedTime = {
  /** The time of the clock; undefined while it is ahead and nobody has confirmed it. */
  read(): Promise<number | undefined>
}

/** A clock that shows more time than can have passed. Both in milliseconds since 1970. */
export type Ahead = {
  /** The time of the clock. */
  clock: number
  /** The newest time known to the database, plus what has passed since this server started. */
  known: number
}

type Options = {
  db: Db
  clock: Clock
  /** How far the clock may be ahead; a server may have been off for so long. */
  toleranceMs: number
  /** Called when the clock is found to be ahead, once until it is right again. */
  warn: (ahead: Ahead) => void
}

const KNOWN = 'agreed_time'
const AHEAD = 'clock_ahead'

/**
 * Compares the clock with two witnesses: the newest time that the database has written, and the time
 * that has passed since the start by a counter that nobody sets. `newest` is that of a database
 * which has not kept one. Call it before the server writes anything.
 */
export async function openAgreedTime(
  { db, clock, toleranceMs, warn }: Options,
  newest: (read: Read) => Promise<number | undefined>,
): Promise<AgreedTime> {
  const began = clock.elapsed()
  const start = await atStart(db, clock.now(), newest)
  let isWarned = false
  return {
    async read() {
      const passed = Math.floor(clock.elapsed() - began)
      const expectedTime = Math.max(start + passed, await readAgreed(db.read, start))
      const now = clock.now()
      const isAhead = now - expectedTime > toleranceMs
      await db.write((tx) =>
        isAhead ? keepAhead(tx, { clock: now, known: expectedTime }) : agree(tx, now),
      )
      if (isAhead && !isWarned) warn({ clock: now, known: expectedTime })
      isWarned = isAhead
      return isAhead ? undefined : now
    },
  }
}

async function atStart(db: Db, now: number, newest: (read: Read) => Promise<number | undefined>) {
  const setting = await readSetting(db.read, KNOWN)
  if (setting !== undefined) return Number(setting)
  const latest = (await newest(db.read)) ?? now
  return Number(await db.write((tx) => keepSetting(tx, KNOWN, String(latest), now)))
}

async function readAgreed(read: Read, otherwise: number): Promise<number> {
  return Number((await readSetting(read, KNOWN)) ?? otherwise)
}

async function agree(tx: Tx, now: number): Promise<void> {
  // The witness never goes back: a clock that starts in 1970 is set right a moment later.
  if (now > (await readAgreed(tx, 0))) await putSetting(tx, KNOWN, String(now), now)
  if ((await readSetting(tx, AHEAD)) !== undefined) await dropSetting(tx, AHEAD)
}

async function keepAhead(tx: Tx, ahead: Ahead): Promise<void> {
  await putSetting(tx, AHEAD, JSON.stringify(ahead), ahead.clock)
}

/** How far the clock was ahead when it was last compared; undefined if it was not. */
export async function readAhead(read: Read): Promise<Ahead | undefined> {
  const setting = await readSetting(read, AHEAD)
  return setting === undefined ? undefined : (JSON.parse(setting) as Ahead)
}

/** Believes the clock from now on, because a person says that it is right. */
export async function confirmTime(tx: Tx, now: number): Promise<void> {
  await putSetting(tx, KNOWN, String(now), now)
  await dropSetting(tx, AHEAD)
}
