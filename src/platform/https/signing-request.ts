import { type KeyObject, sign } from 'node:crypto'

// The few DER types that a request consists of (X.690, 8.1.2).
const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  attributes: 0xa0,
  dnsName: 0x82,
} as const

// The contents of the object identifiers, encoded (X.690, 8.19).
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')
const EXTENSION_REQUEST = Buffer.from('2a864886f70d01090e', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('551d11', 'hex')

/**
 * A request for a certificate of `names`, signed with its key, in DER (RFC 2986). The subject is
 * empty: names are only in the extension, where all authorities read them (RFC 8555, 7.4). `key`:
 * private, on the curve P-256.
 */
export function signingRequest(
  names: readonly string[],
  { key, publicKey }: { key: KeyObject; publicKey: KeyObject },
): Buffer {
  const altNames = der(
    TAG.sequence,
    ...names.map((name) => der(TAG.dnsName, Buffer.from(name, 'ascii'))),
  )
  const extension = der(TAG.sequence, der(TAG.oid, SUBJECT_ALT_NAME), der(TAG.octets, altNames))
  const requested = der(
    TAG.sequence,
    der(TAG.oid, EXTENSION_REQUEST),
    der(TAG.set, der(TAG.sequence, extension)),
  )
  const info = der(
    TAG.sequence,
    der(TAG.integer, Buffer.of(0)),
    der(TAG.sequence),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(TAG.attributes, requested),
  )
  const signature = sign('sha256', info, { key, dsaEncoding: 'der' })
  return der(
    TAG.sequence,
    info,
    der(TAG.sequence, der(TAG.oid, ECDSA_WITH_SHA256)),
    der(TAG.bits, Buffer.of(0), signature),
  )
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])
  const digits = Buffer.from(length.toString(16).padStart(8, '0'), 'hex')
  const long = digits.subarray(digits.findIndex((digit) => digit !== 0))
  return Buffer.concat([Buffer.of(tag, 0x80 | long.length), long, content])
}
