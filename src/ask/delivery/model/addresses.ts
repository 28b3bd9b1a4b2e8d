import type { NotificationId, PairingId, QuestionId } from '../../../platform/ids.ts'

/** The pages that messages and results point to; the pages face mounts them. */
export const decidePath = (id: QuestionId) => `/d/${id}`
export const notificationPath = (id: NotificationId) => `/n/${id}`
/** Says where the link of a notification leads before it is opened. */
export const leavingPath = (id: NotificationId) => `/n/${id}/go`

export const DEVICES_PATH = '/settings/devices'

/** An absolute address on this server. */
export function absolute(baseUrl: string, path: string): string {
  return new URL(path, baseUrl).href
}

/** What a phone scans to be signed in, and where its person ends that pairing. */
export function pairingUrl(baseUrl: string, { id, code }: { id: PairingId; code: string }) {
  return { link: `${baseUrl}/pair/${code}`, undo: `${baseUrl}/settings/pair/${id}` }
}
