import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { hashToken } from '../accounts/model/agent.ts'
import type { PairingId } from '../accounts/model/ids.ts'
import {
  isUsable,
  looksLikePairingCode,
  makeFingerprint,
  makePairingCode,
  PAIRING_MS,
  type PairingCode,
} from '../accounts/model/pairing.ts'
import {
  addPairingCode,
  cancelPairingCodes,
  dropOldPairingCodes,
  findPairingCode,
  keepPairedSignIn,
  listPairingCodes,
  takePairingCode,
} from '../accounts/model/pairing-store.ts'
import type { Person } from '../accounts/model/person.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { endSignIns, markPaired } from '../accounts/model/sign-in-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { labelOf } from '../subscribers/model/subscriber.ts'
import { afterSignOut } from './after-sign-out.ts'
import { dropDevicesOf } from './sign-ins.ts'

type Deps = { db: Db; clock: Clock }

/** A pairing that waits for its phone. The code is shown once; only its hash is stored. */
export type BegunPairing = { id: PairingId; code: string; fingerprint: string; expiresAt: number }

// Long enough to end a pairing later on the same day.
const KEPT_MS = 24 * 60 * 60_000

/** Creates a code that signs in one phone as `person`, once, within 5 minutes. */
export async function beginPairing({ db, clock }: Deps, person: Person): Promise<BegunPairing> {
  const now = clock.now()
  const id = newId('pair', now)
  const code = makePairingCode()
  const row = {
    hash: hashToken(code),
    pairingId: id,
    step: 'phone' as const,
    workspaceId: person.workspaceId,
    personId: person.id,
    fingerprint: makeFingerprint(),
    createdAt: now,
    expiresAt: now + PAIRING_MS,
  }
  await db.write(async (tx) => {
    await dropOldPairingCodes(tx, now - KEPT_MS)
    await addPairingCode(tx, row)
  })
  return { id, code, fingerprint: row.fingerprint, expiresAt: row.expiresAt }
}

/** The state of a pairing, for the screen that started it. */
export type Pairing = {
  id: PairingId
  state: 'waiting' | 'paired' | 'expired' | 'cancelled'
  fingerprint: string
  expiresAt: number
  /** The devices that were signed in, in this order: the phone's browser, then its app. */
  devices: Array<{ name: string; app: boolean; at: number }>
}

/** Throws `not_found` for a pairing that somebody else started. */
export async function readPairing(
  { db, clock }: Deps,
  person: Person,
  id: PairingId,
): Promise<Pairing> {
  const codes = await listPairingCodes(db.read, person.id, id)
  const [first] = codes
  if (!first) throw new Failure('not_found', 'There is no such pairing. Start a new one.')
  const devices = codes.flatMap(({ usedAt, device, step }) =>
    usedAt === null ? [] : [{ name: device ?? 'Phone', app: step === 'app', at: usedAt }],
  )
  const { fingerprint, expiresAt } = first
  return { id, fingerprint, expiresAt, devices, state: stateOf(first, clock.now()) }
}

function stateOf(first: PairingCode, now: number): Pairing['state'] {
  if (first.cancelledAt !== null) return 'cancelled'
  if (first.usedAt !== null) return 'paired'
  return isUsable(first, now) ? 'waiting' : 'expired'
}

/**
 * Ends a pairing: its codes become invalid, and the devices signed in with them are signed out and no
 * longer ring. Throws `not_found`; ending it again changes nothing.
 */
export async function cancelPairing(
  { db, clock }: Deps,
  person: Person,
  id: PairingId,
): Promise<void> {
  await readPairing({ db, clock }, person, id)
  const now = clock.now()
  const stamp = auditStamp(now)
  await db.write(async (tx) => {
    await tx.lock(`pairing ${id}`)
    const ended = await cancelPairingCodes(tx, person.id, { pairingId: id, now })
    if (ended.length === 0) return
    const signIns = await endSignIns(
      tx,
      ended.flatMap(({ signInId }) => signInId ?? []),
    )
    await afterSignOut(tx, person.id, now)
    await dropDevicesOf(tx, signIns, person, now)
    const used = ended.flatMap(({ device }) => device ?? [])
    await recordChange(tx, stamp, {
      workspaceId: person.workspaceId,
      kind: 'sign_in.unpaired',
      personId: person.id,
      personName: person.name,
      subjectId: id,
      subjectName: used[0] ?? null,
    })
  })
}

/** The offer of a pairing code to its holder. Reading does not use it up: links are previewed. */
export type PairingOffer = { person: Person; step: PairingCode['step']; fingerprint: string }

/** Undefined for a code that is unknown, used, expired or cancelled: the reason is not revealed. */
export async function readPairingOffer(
  { db, clock }: Deps,
  code: string,
): Promise<PairingOffer | undefined> {
  if (!looksLikePairingCode(code)) return undefined
  const pairingCode = await findPairingCode(db.read, hashToken(code))
  if (!pairingCode || !isUsable(pairingCode, clock.now())) return undefined
  const person = await findPerson(db.read, pairingCode.personId)
  return person && { person, step: pairingCode.step, fingerprint: pairingCode.fingerprint }
}

export type PairingUse = {
  code: string
  userAgent: string | undefined
  /** Signs in and resolves to the id of the sign-in; undefined if the person no longer exists. */
  signIn(personId: string): Promise<string | undefined>
}

/**
 * Uses up a code and signs its phone in. On an Apple device the scanned code is followed by one for
 * the app on the home screen, which shares nothing with the browser: it is given to this phone
 * only, works once, and ends with the pairing. Throws `gone`.
 */
export async function pairDevice(
  { db, clock }: Deps,
  { code, userAgent, signIn }: PairingUse,
): Promise<{ appCode: string | undefined }> {
  const now = clock.now()
  const hash = hashToken(code)
  const stamp = auditStamp(now)
  const device = cleanLine(labelOf('phone', userAgent))
  const pairingCode = await db.write((tx) => takePairingCode(tx, hash, { now, device }))
  if (!pairingCode) throw spentFailure()
  const signInId = await signIn(pairingCode.personId)
  if (!signInId) throw spentFailure()

  const { pairingId, workspaceId, personId, fingerprint } = pairingCode
  const appCode = pairingCode.step === 'phone' && isApple(userAgent) ? makePairingCode() : undefined
  const isStored = await db.write(async (tx) => {
    await tx.lock(`pairing ${pairingId}`)
    if (!(await keepPairedSignIn(tx, hash, signInId))) {
      // The pairing was cancelled on the other screen at the same moment.
      await endSignIns(tx, [signInId])
      return false
    }
    await markPaired(tx, signInId, now)
    if (appCode) {
      const next = { hash: hashToken(appCode), step: 'app' as const, createdAt: now }
      const of = { pairingId, workspaceId, personId, fingerprint }
      await addPairingCode(tx, { ...of, ...next, expiresAt: now + PAIRING_MS })
    }
    const subject = { subjectId: pairingId, subjectName: device }
    const detail = pairingCode.step === 'app' ? 'home screen' : null
    await recordChange(tx, stamp, {
      workspaceId,
      kind: 'sign_in.paired',
      personId,
      ...subject,
      detail,
    })
    return true
  })
  if (!isStored) throw spentFailure()
  return { appCode }
}

// iPads and web apps in the Dock identify as Macintosh.
function isApple(userAgent: string | undefined): boolean {
  return /iPhone|iPad|Macintosh/.test(userAgent ?? '')
}

function spentFailure(): Failure {
  return new Failure(
    'gone',
    'This pairing link was used already, has expired or was cancelled. Nobody was signed in. Show a new code under Settings, Devices, “Connect a phone”.',
  )
}
