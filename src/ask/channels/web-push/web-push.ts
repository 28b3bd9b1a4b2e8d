import { ECDH } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type WrongField, wrongFields } from '../../../platform/failure.ts'
import type { ChannelModule } from '../../delivery/channel-module.ts'
import { serviceOrigin } from '../../delivery/model/channel.ts'
import type { ConnectContract } from '../../subscribers/model/connect.ts'
import { subscriptionKeys } from '../../subscribers/model/subscribe-fields.ts'
import { labelOf, type Subscriber } from '../../subscribers/model/subscriber.ts'
import { createWebPush, SUBJECT_ALARM } from './channel.ts'
import { checkPushContact, contactCheck } from './contact.ts'

const fields = { keys: Type.Optional(subscriptionKeys) }

const connect: ConnectContract<typeof fields> = {
  endpoint: 'address the push service gave to this device',
  fields,
  read({ endpoint, keys }, refusal) {
    if (!keys) throw wrongFields([{ field: 'keys', must: 'is required' }])
    return readSubscription({ endpoint, keys }, refusal)
  },
  label: ({ kind }, userAgent) => labelOf(kind, userAgent),
  renews: true,
}

/** Web Push: browsers, installed web apps, UnifiedPush. */
export const webPush: ChannelModule = {
  name: 'webpush',
  kinds: ['browser', 'phone'],
  connect,
  service(device) {
    const host = URL.parse(serviceOrigin(device))?.hostname ?? ''
    return SERVICES.find(([sign]) => sign.test(host))?.[1] ?? `The push service at ${host}`
  },
  create: ({ config, secrets, outside, clock, sessions }) =>
    createWebPush({
      fetch: outside.fetch,
      clock,
      vapid: secrets.vapid,
      vapidSubject: config.webPush.subject,
      baseUrl: config.baseUrl,
      quickAnswerSecret: secrets.quickAnswerSecret,
      sessionOf: sessions.ofMessage,
    }),
  begin({ db, clock, log, config }) {
    const { webPush, baseUrl } = config
    return checkPushContact({ db, clock, log, vapidSubject: webPush.subject, baseUrl })
  },
  check: async ({ config, devices }) => [
    contactCheck(config.webPush.subject, config.baseUrl, devices),
  ],
  ownAlarm: SUBJECT_ALARM,
}

const SERVICES: ReadonlyArray<[RegExp, string]> = [
  [/(^|\.)googleapis\.com$/, 'Google’s push service'],
  [/(^|\.)mozilla\.com$/, 'Mozilla’s push service'],
  [/(^|\.)push\.apple\.com$/, 'Apple’s push service'],
  [/(^|\.)windows\.com$/, 'Microsoft’s push service'],
]

const AUTH_BYTES = 16

/**
 * A Web Push subscription that messages can be encrypted for and that may be reached; `refusal`
 * says why an address may not. Throws `invalid_input` that names the field.
 */
export function readSubscription(
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
  refusal: (url: string) => string | undefined,
): Required<Pick<Subscriber, 'endpoint'>> & { keys: { p256dh: string; auth: string } } {
  const wrong: WrongField[] = []
  const refused = refusal(subscription.endpoint)
  if (refused) wrong.push({ field: 'endpoint', must: `cannot be used: ${lowerFirst(refused)}` })
  const keys = { p256dh: bare(subscription.keys.p256dh), auth: bare(subscription.keys.auth) }
  if (!isPoint(keys.p256dh)) {
    wrong.push({ field: 'keys.p256dh', must: 'must be an uncompressed P-256 point in base64url' })
  }
  if (Buffer.from(keys.auth, 'base64url').length !== AUTH_BYTES) {
    wrong.push({ field: 'keys.auth', must: `must be ${AUTH_BYTES} bytes in base64url` })
  }
  if (wrong.length > 0) throw wrongFields(wrong)
  return { endpoint: subscription.endpoint, keys }
}

/** Base64 of either alphabet as the protocol writes it. */
function bare(key: string): string {
  return Buffer.from(key, 'base64url').toString('base64url')
}

function isPoint(key: string): boolean {
  const bytes = Buffer.from(key, 'base64url')
  if (bytes.length !== 65 || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}

/** Continues a sentence that begins with a field's name; the caller adds the full stop. */
function lowerFirst(sentence: string): string {
  return (sentence.charAt(0).toLowerCase() + sentence.slice(1)).replace(/\.$/, '')
}
