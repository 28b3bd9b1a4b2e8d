import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { EXTERNAL_ID_MAX, LABEL_MAX, TAG_MAX, TAGS_MAX } from './subscriber.ts'

/** Push services hand out addresses of a few hundred characters. */
const ENDPOINT_MAX = 2_000
const KEY_MAX = 200

const endpoint = Type.String({
  format: 'uri',
  maxLength: ENDPOINT_MAX,
  description:
    'The address the push service gave to this device, or an ntfy topic: https://ntfy.sh/TOPIC.',
})

const keys = Type.Object(
  {
    p256dh: Type.String({ maxLength: KEY_MAX, description: 'The public key, base64url.' }),
    auth: Type.String({ maxLength: KEY_MAX, description: 'The shared secret, base64url.' }),
  },
  { additionalProperties: false, description: 'The keys of the subscription (RFC 8291).' },
)

const secret = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: KEY_MAX, description }))

const tags = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: TAG_MAX }), { maxItems: TAGS_MAX, description })

/** What a device says to be reachable. */
export const SubscribeInput = Type.Object(
  {
    kind: oneOf(['browser', 'phone'], {
      description: 'Whether it counts as a browser or a phone.',
    }),
    transport: oneOf(['webpush', 'ntfy'], { description: 'How it is reached.' }),
    endpoint,
    keys: Type.Optional(keys),
    accessToken: secret('Of an ntfy server that wants one; kept, and never shown.'),
    username: secret('For an ntfy server with passwords, in place of an access token.'),
    password: secret('Goes with username; kept, and never shown.'),
    label: Type.Optional(
      Type.String({ maxLength: LABEL_MAX, description: 'What people call it.' }),
    ),
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: EXTERNAL_ID_MAX,
        description: 'Your own id, for targeting with externalIds.',
      }),
    ),
    tags: Type.Optional(tags('For targeting with tags.')),
  },
  { additionalProperties: false },
)
export type SubscribeInput = Static<typeof SubscribeInput>

/** What people change of a device; what is not named stays. */
export const DeviceChanges = Type.Object(
  {
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: LABEL_MAX, description: 'What people call it.' }),
    ),
    externalId: Type.Optional(
      Type.String({
        maxLength: EXTERNAL_ID_MAX,
        description: 'Your own id, for targeting with externalIds; "" takes it away.',
      }),
    ),
    tags: Type.Optional(tags('All its tags from now on, for targeting with tags; [] for none.')),
  },
  { additionalProperties: false },
)
export type DeviceChanges = Static<typeof DeviceChanges>

const deviceKey = Type.String({
  maxLength: KEY_MAX,
  description: 'The deviceKey that the device was given.',
})

/** What a device says when its browser has changed its subscription by itself. */
export const RenewInput = Type.Object(
  {
    key: deviceKey,
    endpoint,
    keys,
  },
  { additionalProperties: false },
)
export type RenewInput = Static<typeof RenewInput>

/** What a device says when it has shown a message, or somebody has opened one. */
export const SeenInput = Type.Object(
  {
    key: deviceKey,
    id: Type.Optional(
      Type.String({ maxLength: KEY_MAX, description: 'The question or notification it is about.' }),
    ),
    kind: Type.Optional(
      oneOf(['question', 'notification', 'outcome', 'test'], {
        description: 'Which message about it; a question and its outcome are two.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type SeenInput = Static<typeof SeenInput>
