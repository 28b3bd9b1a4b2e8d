import type { Static } from '@sinclair/typebox'
import { closed, day, filledText, link, patternField, slug, textField } from './words.ts'

const REPLY_CHARS_MAX = 2_000
/** Days after which a reply is not shown any more. */
const REPLY_DAYS_MAX = 365

const domain = patternField('a domain, such as example.com', {
  pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+$',
  maxLength: 253,
  description: 'Domain of the vendor, which publishes the key.',
})

const REPLY = {
  tool: slug('The tool that it is about.'),
  date: day('Day of the reply.'),
  text: filledText('What the vendor says, as plain text.', REPLY_CHARS_MAX),
}

const ReplySignature = closed({
  kid: textField('Thumbprint of the key (RFC 7638).', 128),
  jws: textField('Detached compact JWS, `HEADER..SIGNATURE`.', 4000),
})

/** A reply as a vendor signs it. */
export const SignedReply = closed({ ...REPLY, signature: ReplySignature })
export type SignedReply = Static<typeof SignedReply>

/** `replies/SLUG.json`: a reply with the key that `catalog reply` read at the vendor's domain. */
export const VendorReply = closed(
  {
    ...REPLY,
    signature: ReplySignature,
    key: closed({
      domain,
      url: link('Where the key was read.'),
      read: day('Day on which it was read.'),
      x: textField('The public key (Ed25519) in base64url.', 64),
    }),
  },
  'A reply of a vendor to the grade of a tool.',
)
export type VendorReply = Static<typeof VendorReply>

/** A reply as it is served. */
export const ServedReply = closed(
  {
    ...REPLY,
    signature: ReplySignature,
    key: VendorReply.properties.key,
    until: day('Last day on which it is served.'),
  },
  'What the vendor says beside the grade. Its signature was checked; what it says was not.',
)
export type ServedReply = Static<typeof ServedReply>

/** The reply as it is served on a day; undefined when it is too old. */
export function servedReply(reply: VendorReply, today: string): ServedReply | undefined {
  const until = new Date(Date.parse(reply.date) + REPLY_DAYS_MAX * 86_400_000)
  const last = until.toISOString().slice(0, 10)
  return today <= last ? { ...reply, until: last } : undefined
}
