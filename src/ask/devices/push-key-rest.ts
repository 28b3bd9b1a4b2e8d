import { Type } from '@sinclair/typebox'
import { personRoute } from '../rest/route.ts'

export const getPushKey = personRoute(
  {
    method: 'GET',
    path: '/push-key',
    summary: 'The key that a Web Push subscription is made for.',
    result: Type.Object({
      publicKey: Type.String({
        description: 'The VAPID public key (RFC 8292), an uncompressed P-256 point in base64url.',
      }),
    }),
  },
  async ({ vapidPublicKey }) => ({ publicKey: vapidPublicKey }),
)
