import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { canonicalText } from '../../../platform/signing/canonical.ts'
import {
  isSignedBy,
  type SignKey,
  signText,
  type VerifyKey,
} from '../../../platform/signing/ed25519.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import type { AuditRecord } from './audit.ts'
import { FactKind } from './fact.ts'

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** The content of a link of the chain; its canonical JSON (RFC 8785) is what is signed. */
export const Seal = Type.Object(
  {
    seq: Type.Integer({ minimum: 1 }),
    sealedAt: Type.Integer(),
    /** SHA-256 of the link before; null for the first. */
    previous: Type.Union([hash, Type.Null()]),
    /** Id, time and digest of each row, in the order in which they were sealed. */
    rows: Type.Array(Type.Tuple([Type.String(), Type.Integer(), hash])),
    /** Kind, id, time, subject and digest of each fact (`fact.ts`); not in links of earlier versions. */
    facts: Type.Optional(
      Type.Array(Type.Tuple([FactKind, Type.String(), Type.Integer(), Type.String(), hash])),
    ),
    /** Questions and notifications that were removed on purpose, with everything about them. */
    removed: Type.Optional(Type.Array(Type.String())),
    /** A checkpoint: rows before this time were removed, and the chain now begins at `first`. */
    purged: Type.Optional(Type.Object({ before: Type.Integer(), first: Type.Integer() })),
  },
  { additionalProperties: false },
)
export type Seal = Static<typeof Seal>

/** A link as it is stored. */
export type StoredSeal = {
  seq: number
  body: string
  signature: string
  latestAt: number
  purgedBefore: number | null
}

export function signSeal(seal: Seal, key: SignKey): StoredSeal {
  const body = canonicalText(seal)
  return { body, signature: signText(key, body), ...columnsOf(seal) }
}

/** Returns the columns that are stored beside the text of a link. */
export function columnsOf(seal: Seal): Pick<StoredSeal, 'seq' | 'latestAt' | 'purgedBefore'> {
  const times = [...seal.rows.map(([, at]) => at), ...(seal.facts ?? []).map(([, , at]) => at)]
  return {
    seq: seal.seq,
    latestAt: times.reduce((latest, at) => Math.max(latest, at), -1),
    purgedBefore: seal.purged?.before ?? null,
  }
}

/** A link of a copy, as it would be stored; undefined if it is malformed. Its signature is not checked. */
export function storedSeal({
  body,
  signature,
}: Pick<StoredSeal, 'body' | 'signature'>): StoredSeal | undefined {
  try {
    const seal: unknown = JSON.parse(body)
    return Value.Check(Seal, seal) ? { body, signature, ...columnsOf(seal) } : undefined
  } catch {
    return undefined
  }
}

/** Returns true if the link is as `key` signed it. */
export function isGenuine({ body, signature }: StoredSeal, key: VerifyKey): boolean {
  return isSignedBy(key, body, signature)
}

/** Returns the hash that the next link names as `previous`. */
export function hashOf({ body }: Pick<StoredSeal, 'body'>): string {
  return sha256(body)
}

/** SHA-256 of everything that the row says. */
export function rowDigest(row: AuditRecord): string {
  const { id, workspaceId, at, kind, personId, personName, tokenId } = row
  const { subjectId, subjectName, detail } = row
  const subject = { subjectId, subjectName, detail }
  return sha256(
    canonicalText({ id, workspaceId, at, kind, personId, personName, tokenId, ...subject }),
  )
}
