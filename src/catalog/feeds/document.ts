import { readFileSync } from 'node:fs'
import { compress } from './compress.ts'
import type { DocumentCache } from './document-cache.ts'
import { documentEtag, documentHash } from './etag.ts'
import type { Coding } from './negotiate.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Body = string | Uint8Array

/** A document in one coding, ready to be sent without copying. */
export type EncodedDocument = {
  body: Blob
  etag: string
  headers: Headers
  /** The headers of a 304 response. */
  unchanged: Headers
}

export type Document = {
  readonly type: string
  /** The number of plain bytes; 0 for a document that is made on request and not made yet. */
  readonly size: number
  /** Without a promise if this coding is ready. */
  written(coding: Coding): EncodedDocument | Promise<EncodedDocument>
  /** The plain bytes; made again and not kept if nobody has requested the document. */
  bytes(): Bytes
  compressAll(): Promise<void>
}

type Source = {
  type: string
  body: Body | (() => Body)
  headers?: Readonly<Record<string, string>>
}

// A day-old copy is better than nothing while the server is down.
const CACHE_CONTROL = 'public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400'
// Pages of other sites may read the catalog with all the headers that they need.
export const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-expose-headers':
    'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Content-Encoding',
}
// The headers that the listener would set on each response.
const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "frame-ancestors 'none'",
}
const COMPRESSED: readonly Coding[] = ['gzip', 'br', 'zstd']
const encoder = new TextEncoder()

// Two sets of a dozen headers, beside the bytes.
const HEADERS_BYTES = 4 * 1024

/**
 * Keeps each coding of a document once it is made. Of a document that is made on request, codings
 * are kept while `cache` has room for them.
 */
export function documentOf({ type, body, headers = {} }: Source, cache: DocumentCache): Document {
  const known = new Map<Coding, EncodedDocument | Promise<EncodedDocument>>()
  const plain = typeof body === 'function' ? undefined : bytesOf(body)
  const bytes = () => plain ?? bytesOf((body as () => Body)())
  const forget = () => known.clear()
  let hash: string | undefined

  function keep(own: Bytes, packed: Bytes, coding: Coding): EncodedDocument {
    hash ??= documentHash(own)
    const encoded = encodedDocument({ type, headers, hash, coding, body: new Blob([packed]) })
    known.set(coding, encoded)
    if (!plain) cache.put(forget, packed.length + HEADERS_BYTES)
    return encoded
  }

  return {
    type,
    get size() {
      return plain?.length ?? 0
    },
    written(coding) {
      const found = known.get(coding)
      if (found) return found
      const own = bytes()
      if (coding === 'identity') return keep(own, own, coding)
      const made = compress(own, coding).then((packed) => keep(own, packed, coding))
      known.set(coding, made)
      return made
    },
    bytes,
    async compressAll() {
      for (const coding of COMPRESSED) await this.written(coding)
    },
  }
}

type Encoding = {
  type: string
  headers: Readonly<Record<string, string>>
  /** Of the plain bytes. */
  hash: string
  coding: Coding
  body: Blob
}

function encodedDocument({ type, headers, hash, coding, body }: Encoding): EncodedDocument {
  const etag = documentEtag(hash, coding)
  const said = coding === 'identity' ? {} : { 'content-encoding': coding }
  const kept = { 'cache-control': CACHE_CONTROL, vary: 'Accept-Encoding' }
  const common = { ...SAFE, ...OPEN_TO_ALL, ...kept, ...headers, etag }
  return {
    body,
    etag,
    headers: new Headers({ 'content-type': type, ...said, ...common }),
    unchanged: new Headers(common),
  }
}

/** A file that is compressed already, sent from the disk; `hash` is that of its bytes. */
export function fileDocument(
  path: string,
  about: Pick<Encoding, 'type' | 'headers' | 'hash'>,
): Document {
  const file = Bun.file(path)
  const encoded = encodedDocument({ ...about, coding: 'identity', body: file })
  return {
    type: about.type,
    size: file.size,
    written: () => encoded,
    bytes: () => readFileSync(path),
    compressAll: async () => {},
  }
}

function bytesOf(body: Body): Bytes {
  return (typeof body === 'string' ? encoder.encode(body) : body) as Bytes
}
