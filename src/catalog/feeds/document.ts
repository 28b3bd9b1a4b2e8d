import { compress } from './compress.ts'
import type { DocumentCache } from './document-cache.ts'
import { documentEtag, documentHash } from './etag.ts'
import type { Coding } from './negotiate.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Body = string | Uint8Array

/** A document in one coding, ready to be sent over and over: nothing of it is copied. */
export type EncodedDocument = {
  body: Blob
  etag: string
  headers: Headers
  /** For whoever has it already. */
  unchanged: Headers
}

export type Document = {
  readonly type: string
  /** Of the plain bytes; 0 while nobody has asked for a document that is made on request. */
  readonly size: number
  /** At once when it was written before. */
  written(coding: Coding): EncodedDocument | Promise<EncodedDocument>
  /** Without any coding; made anew, and not kept, where nobody has asked for it. */
  bytes(): Bytes
  compressAll(): Promise<void>
}

type Source = {
  type: string
  body: Body | (() => Body)
  headers?: Readonly<Record<string, string>>
}

// What is a day old is better than nothing while the server is away.
const CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400'
// Whoever reads from a page of another site may, and sees what it needs to do so well.
export const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-expose-headers':
    'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Content-Encoding',
}
// As the listener would say for each response anew.
const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "frame-ancestors 'none'",
}
const COMPRESSED: readonly Coding[] = ['gzip', 'br', 'zstd']
const encoder = new TextEncoder()

/**
 * A document that keeps each coding it was asked for in; one that is made on request for as long
 * as `cache` has room for it.
 */
export function documentOf({ type, body, headers = {} }: Source, cache: DocumentCache): Document {
  const known = new Map<Coding, EncodedDocument | Promise<EncodedDocument>>()
  let plain = typeof body === 'function' ? undefined : bytesOf(body)
  let hash: string | undefined

  function forget() {
    known.clear()
    plain = undefined
  }

  function plainBytes(): Bytes {
    if (plain) return plain
    plain = bytesOf((body as () => Body)())
    cache.put(forget, plain.length)
    return plain
  }

  async function encode(own: Bytes, coding: Coding): Promise<EncodedDocument> {
    const bytes = await compress(own, coding)
    if (plain === own) {
      known.set(coding, writtenAs(own, bytes, coding))
      if (typeof body === 'function') cache.put(forget, bytes.length)
    }
    return writtenAs(own, bytes, coding)
  }

  function writtenAs(own: Bytes, bytes: Bytes, coding: Coding): EncodedDocument {
    hash ??= documentHash(own)
    const etag = documentEtag(hash, coding)
    const said = coding === 'identity' ? {} : { 'content-encoding': coding }
    const kept = { 'cache-control': CACHE_CONTROL, vary: 'Accept-Encoding' }
    const common = { ...SAFE, ...OPEN_TO_ALL, ...kept, ...headers, etag }
    return {
      body: new Blob([bytes]),
      etag,
      headers: new Headers({ 'content-type': type, ...said, ...common }),
      unchanged: new Headers(common),
    }
  }

  return {
    type,
    get size() {
      return plain?.length ?? 0
    },
    written(coding) {
      const found = known.get(coding)
      if (found) return found
      const own = plainBytes()
      const made = coding === 'identity' ? writtenAs(own, own, coding) : encode(own, coding)
      known.set(coding, made)
      return made
    },
    bytes: () => plain ?? bytesOf((body as () => Body)()),
    async compressAll() {
      for (const coding of COMPRESSED) await this.written(coding)
    },
  }
}

function bytesOf(body: Body): Bytes {
  return (typeof body === 'string' ? encoder.encode(body) : body) as Bytes
}
