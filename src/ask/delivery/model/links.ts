import { hmac, sameText } from '../../../platform/signing/hmac.ts'
import type { PairingId } from '../../accounts/model/ids.ts'
import type { SubscriberId } from '../../subscribers/model/subscriber.ts'
import type { NotificationId, QuestionId } from '../../wire/ids.ts'

/** The pages that messages and results link to. */
export const decidePath = (id: QuestionId) => `/d/${id}`
export const notificationPath = (id: NotificationId) => `/n/${id}`
/** The page that shows where the link of a notification leads, before it is opened. */
export const leavingPath = (id: NotificationId) => `/n/${id}/go`

export const DEVICES_PATH = '/settings/devices'

/** An absolute address on this server. */
export function absolute(baseUrl: string, path: string): string {
  return new URL(path, baseUrl).href
}

/**
 * The address that a phone scans to sign in. It contains the pairing's id, so that its person can
 * end the pairing.
 */
export function pairingUrl(baseUrl: string, { id, code }: { id: PairingId; code: string }) {
  return { link: `${baseUrl}/pair/${code}`, undo: `${baseUrl}/settings/pair/${id}` }
}

/**
 * `page` opens the question with its answers; `yes` and `no` are buttons and can give only that
 * answer.
 */
export type LinkPurpose = 'page' | 'yes' | 'no'

/** For one question and one device, and can be used once. */
export type AnswerLink = {
  questionId: QuestionId
  subscriberId: SubscriberId
  purpose: LinkPurpose
}

const LETTERS: Record<LinkPurpose, string> = { page: 'p', yes: 'y', no: 'n' }
const PURPOSES = new Map(Object.entries(LETTERS).map(([purpose, letter]) => [letter, purpose]))

// 132 bits cannot be guessed, and are short enough for a push and for the address in one.
const KEY_CHARS = 22
const TOKEN = /^([a-z0-9]{1,40})\.([a-z0-9]{1,40})\.([pyn])([\w-]{22})$/

/** The part of the address after `/a/`. */
export function linkToken(secret: string, link: AnswerLink): string {
  const { questionId, subscriberId, purpose } = link
  const [question, device] = [questionId.slice('q_'.length), subscriberId.slice('sub_'.length)]
  return `${question}.${device}.${LETTERS[purpose]}${keyOf(secret, link)}`
}

/** Reads a token; undefined for one that this server did not make. */
export function readLinkToken(secret: string, token: string): AnswerLink | undefined {
  const [, question, device, letter = '', key = ''] = TOKEN.exec(token) ?? []
  const purpose = PURPOSES.get(letter) as LinkPurpose | undefined
  if (!purpose) return undefined
  const link = { questionId: `q_${question}`, subscriberId: `sub_${device}`, purpose } as const
  return sameText(keyOf(secret, link), key) ? link : undefined
}

export function linkPath(secret: string, link: AnswerLink): string {
  return `/a/${linkToken(secret, link)}`
}

function keyOf(secret: string, { questionId, subscriberId, purpose }: AnswerLink): string {
  return hmac(secret, `link ${purpose} ${questionId} ${subscriberId}`).slice(0, KEY_CHARS)
}

/** Lets one device answer one question from its notification, without signing in. */
export function quickKey(secret: string, questionId: QuestionId, device: SubscriberId): string {
  return hmac(secret, `answer ${questionId} ${device}`).slice(0, KEY_CHARS)
}

export function verifyQuickKey(
  secret: string,
  questionId: QuestionId,
  device: SubscriberId,
  key: string,
): boolean {
  return sameText(quickKey(secret, questionId, device), key)
}

/**
 * Lets a device report for itself that it showed a message, or that its browser renewed its
 * address.
 */
export function deviceKey(secret: string, device: SubscriberId): string {
  return hmac(secret, `device ${device}`).slice(0, KEY_CHARS)
}

export function verifyDeviceKey(secret: string, device: SubscriberId, key: string): boolean {
  return sameText(deviceKey(secret, device), key)
}
