import type { NotificationId, PairingId, QuestionId } from '../../../platform/ids.ts'

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
