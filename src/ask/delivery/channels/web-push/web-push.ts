import { Type } from '@sinclair/typebox'
import { wrongFields } from '../../../../platform/failure.ts'
import type { ConnectContract } from '../../../devices/model/connect.ts'
import { subscriptionKeys } from '../../../devices/model/subscribe-fields.ts'
import { labelOf } from '../../../devices/model/subscriber.ts'
import { serviceOrigin } from '../../model/channel.ts'
import type { ChannelModule } from '../module.ts'
import { createWebPush, SUBJECT_ALARM } from './channel.ts'
import { checkPushContact, contactCheck } from './contact.ts'
import { readSubscription } from './subscription.ts'

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
  create: ({ config, secrets, outside, clock }) =>
    createWebPush({
      fetch: outside.fetch,
      clock,
      vapid: secrets.vapid,
      vapidSubject: config.vapidSubject,
      baseUrl: config.baseUrl,
      quickAnswerSecret: secrets.quickAnswerSecret,
    }),
  begin({ db, clock, log, config }) {
    const { vapidSubject, baseUrl } = config
    return checkPushContact({ db, clock, log, vapidSubject, baseUrl })
  },
  check: async ({ config, devices }) => [
    contactCheck(config.vapidSubject, config.baseUrl, devices),
  ],
  ownAlarm: SUBJECT_ALARM,
}

const SERVICES: ReadonlyArray<[RegExp, string]> = [
  [/(^|\.)googleapis\.com$/, 'Google’s push service'],
  [/(^|\.)mozilla\.com$/, 'Mozilla’s push service'],
  [/(^|\.)push\.apple\.com$/, 'Apple’s push service'],
  [/(^|\.)windows\.com$/, 'Microsoft’s push service'],
]
