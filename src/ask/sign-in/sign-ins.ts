import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { cleanLine } from '../../platform/text.ts'
import type { Person } from '../accounts/model/person.ts'
import { findPerson, findSignedIn } from '../accounts/model/person-store.ts'
import {
  countSignIns,
  endOtherSignIns,
  endSignIns,
  listSignIns,
  readSignIns,
  type SignIn,
} from '../accounts/model/sign-in-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { devicesOfSignIns, moveSignIn } from '../subscribers/model/sign-in-store.ts'
import { forgetSubscriber } from '../subscribers/model/store.ts'
import { labelOf, type Subscriber, type SubscriberId } from '../subscribers/model/subscriber.ts'
import { afterSignOut } from './after-sign-out.ts'
import { SIGNED_OUT_ELSEWHERE } from './sign-in-trail.ts'

type Deps = { db: Db; clock: Clock }

/** A sign-in with what its person knows it by. */
export type ShownSignIn = SignIn & {
  /** "Firefox on Linux", as its browser says; undefined if it does not say. */
  name: string | undefined
  /** The devices that notify in this browser. */
  devices: Array<{ id: SubscriberId; label: string }>
}

/** A part of a person's sign-ins, `own` first, and how many there are. */
export async function readOwnSignIns(
  { db, clock }: Deps,
  { id }: Person,
  part: { own: string | undefined; offset: number; limit: number },
): Promise<ShownSignIn[]> {
  const { own: first, offset, limit } = part
  const now = clock.now()
  const rows = await listSignIns(db.read, id, { now, offset, limit, ...(first && { first }) })
  const ids = rows.map((row) => row.id)
  const devices = await devicesOfSignIns(db.read, ids)
  return rows.map((row) => ({
    ...row,
    name: nameOf(row),
    devices: (devices.get(row.id) ?? []).filter(({ personId }) => personId === id),
  }))
}

/** How many sign-ins a person has. */
export function countOwnSignIns({ db, clock }: Deps, { id }: Person): Promise<number> {
  return countSignIns(db.read, id, clock.now())
}

/** Returns the name of a browser; undefined if it does not say anything known. */
function nameOf({ userAgent }: SignIn): string | undefined {
  const name = cleanLine(labelOf('browser', userAgent ?? ''))
  return name === 'Browser' ? undefined : name
}

/** A browser has signed in anew: its earlier sign-in ends, and what rings in it stays its own. */
export async function replaceSignIn(tx: Tx, before: string, token: string): Promise<void> {
  const now = await findSignedIn(tx, token)
  if (now?.id === before) return
  if (now) await moveSignIn(tx, before, { id: now.id, personId: now.person.id })
  await endSignIns(tx, [before])
}

/** The person who ends sign-ins, from which address, and whether the devices of these go, too. */
export type SignOut = { by: Person; from: string; withDevices: boolean }

/** Ends a sign-in of the person. Throws `not_found`, also for that of somebody else. */
export async function endOwnSignIn({ db, clock }: Deps, id: string, out: SignOut): Promise<void> {
  const now = clock.now()
  await db.write(async (tx) => {
    const signIn = (await readSignIns(tx, [id], now)).get(id)
    if (signIn?.personId !== out.by.id) throw notTheirs()
    const ended = await endSignIns(tx, [id])
    await settleEnd(tx, ended, { ...out, what: `signed out: ${nameOf(signIn) ?? UNKNOWN}`, now })
  })
}

/** Ends every sign-in of the person but `kept`. */
export async function endOtherOwnSignIns(
  { db, clock }: Deps,
  currentId: string,
  out: SignOut,
): Promise<void> {
  const now = clock.now()
  await db.write(async (tx) => {
    const ended = await endOtherSignIns(tx, out.by.id, currentId)
    await settleEnd(tx, ended, { ...out, what: SIGNED_OUT_ELSEWHERE.how, now })
  })
}

type Settled = SignOut & { what: string; now: number }

async function settleEnd(tx: Tx, ended: SignIn[], out: Settled): Promise<void> {
  const { by, from, withDevices, what, now } = out
  await afterSignOut(tx, by.id, now)
  await recordEnd(tx, { by, of: by, detail: `${what}, from ${from}`, now })
  if (withDevices) await dropDevicesOf(tx, ended, by, now)
}

/** Removes the devices of this person that these sign-ins connected. */
export async function dropDevicesOf(
  tx: Tx,
  ended: readonly SignIn[],
  by: Person,
  now: number,
): Promise<void> {
  const linked = await devicesOfSignIns(
    tx,
    ended.map(({ id }) => id),
  )
  for (const { id, label, workspaceId, personId } of [...linked.values()].flat()) {
    if (personId !== by.id || !(await forgetSubscriber(tx, workspaceId, id))) continue
    const who = { workspaceId, personId: by.id, personName: by.name }
    const what = { kind: 'device.removed', subjectId: id, subjectName: label } as const
    await recordChange(tx, auditStamp(now), { ...who, ...what })
    tx.emit('subscriber', workspaceId)
  }
}

/**
 * Ends the sign-in of the browser that a device is, in the transaction that removes the device.
 * False if it is not known, or has ended.
 */
export async function endSignInOf(
  tx: Tx,
  { signInId, personId, label }: Pick<Subscriber, 'signInId' | 'personId' | 'label'>,
  { by, now }: { by: Person; now: number },
): Promise<boolean> {
  if (signInId === undefined || personId === undefined) return false
  const signIn = (await readSignIns(tx, [signInId], now)).get(signInId)
  const of = await findPerson(tx, personId)
  if (signIn?.personId !== personId || !of) return false
  await endSignIns(tx, [signInId])
  await afterSignOut(tx, personId, now)
  await recordEnd(tx, { by, of, detail: `signed out with the device “${label}”`, now })
  return true
}

type End = { by: Person; of: Person; detail: string; now: number }

function recordEnd(tx: Tx, { by, of, detail, now }: End): Promise<void> {
  const who = { workspaceId: by.workspaceId, personId: by.id, personName: by.name }
  const subject = { subjectId: of.id, subjectName: of.name, detail }
  return recordChange(tx, auditStamp(now), { ...who, ...subject, kind: 'sign_in.ended' })
}

const UNKNOWN = 'an unknown browser'

function notTheirs(): Failure {
  return new Failure(
    'not_found',
    'You have no such sign-in: it may have ended already. Nothing was changed.',
  )
}
