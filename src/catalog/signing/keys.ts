import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { thumbprint } from '../../platform/signing/ed25519.ts'
import { DetachedJws } from '../../platform/signing/jws.ts'
import { closed, day, patternField, textField } from '../records/words.ts'

const BASE64URL_32 = '^[A-Za-z0-9_-]{43}$'

/** Name of a key: its thumbprint (RFC 7638). */
const kid = (description: string) =>
  patternField('the thumbprint of a key', { pattern: BASE64URL_32, maxLength: 43, description })

// A public Ed25519 key (RFC 8037).
const PUBLIC_JWK = {
  kty: Type.Literal('OKP', { description: 'Kind of key.' }),
  crv: Type.Literal('Ed25519', { description: 'Curve.' }),
  x: Type.String({ pattern: BASE64URL_32, maxLength: 43, description: 'The key itself.' }),
}

/** A key that signs for this catalog. */
export const CatalogKey = closed({
  ...PUBLIC_JWK,
  kid: kid('Thumbprint of the key (RFC 7638).'),
  use: Type.Literal('sig', { description: 'It signs.' }),
  purpose: Type.Union([Type.Literal('manifest'), Type.Literal('review')], {
    description: 'What it signs.',
  }),
  name: Type.Optional(textField('Whose it is.', 200)),
  since: day('First day on which it may sign.'),
  until: Type.Optional(day('Last day on which it may sign.')),
  revoked: Type.Optional(
    closed({
      at: day('From this day on its signatures count for nothing.'),
      reason: textField('Why.', 500),
    }),
  ),
  endorsement: Type.Optional(
    closed(
      { kid: kid('The key before it.'), ...DetachedJws.properties },
      'The key before this one vouches for it: a signature over its canonical `{crv, kty, x}`.',
    ),
  ),
})
export type CatalogKey = Static<typeof CatalogKey>

// Enough for a new key each month for a hundred years.
const KEYS_MAX = 1_200

/** `/.well-known/catalog-keys.json`. */
export const KeysDocument = closed(
  { keys: Type.Array(CatalogKey, { maxItems: KEYS_MAX }) },
  'Keys that sign for this catalog.',
)
export type KeysDocument = Static<typeof KeysDocument>

/** The purpose of a signature: one of a manifest is not valid for a review. */
export const TYP = {
  manifest: 'catalog-manifest+jws',
  review: 'catalog-review+jws',
  /** A vendor answers a grade. */
  reply: 'catalog-reply+jws',
  /** A key endorses the next one. */
  key: 'catalog-key+jws',
} as const

/** Reads a foreign list of keys; returns a sentence if it is not valid. */
export function readKeys(value: unknown): KeysDocument | string {
  const wrong = checkKeys().Errors(value).First()
  if (wrong) return `The list of keys is not one: ${wrong.path || '/'} ${wrong.message}.`
  const { keys } = value as KeysDocument
  const kids = new Set<string>()
  for (const key of keys) {
    if (kids.has(key.kid)) return `The list of keys has ${key.kid} twice.`
    kids.add(key.kid)
    if (thumbprint(key) !== key.kid) {
      return `The list of keys has a key under the name ${key.kid}, which is not its thumbprint.`
    }
  }
  return { keys }
}

let compiled: ReturnType<typeof TypeCompiler.Compile<typeof KeysDocument>> | undefined
function checkKeys() {
  compiled ??= TypeCompiler.Compile(KeysDocument)
  return compiled
}

/** Why `key` cannot have signed on `date`; undefined if it can. */
export function keyProblem(key: CatalogKey, purpose: string, date: string): string | undefined {
  if (key.purpose !== purpose) return `The key ${key.kid} signs ${key.purpose}s, not this.`
  if (key.revoked && key.revoked.at <= date) {
    return `The key ${key.kid} was revoked from ${key.revoked.at} on: ${key.revoked.reason}`
  }
  if (date < key.since)
    return `The key ${key.kid} signs only since ${key.since}; this is of ${date}.`
  if (key.until && date > key.until) {
    return `The key ${key.kid} signed until ${key.until}; this is of ${date}.`
  }
  return undefined
}
