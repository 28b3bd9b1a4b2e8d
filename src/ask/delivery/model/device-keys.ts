import type { QuestionId, SubscriberId } from '../../../platform/ids.ts'
import { sameText, sign } from '../../../platform/sign.ts'

// 132 bits: a key is part of every push, where space is limited.
const KEY_CHARS = 22

/** Lets one device answer one question from its notification, without signing in. */
export function quickKey(secret: string, questionId: QuestionId, device: SubscriberId): string {
  return sign(secret, `answer ${questionId} ${device}`).slice(0, KEY_CHARS)
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
  return sign(secret, `device ${device}`).slice(0, KEY_CHARS)
}

export function verifyDeviceKey(secret: string, device: SubscriberId, key: string): boolean {
  return sameText(deviceKey(secret, device), key)
}
