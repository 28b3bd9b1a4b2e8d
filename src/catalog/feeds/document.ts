import { readFileSync } from 'node:fs'
import { loadOnce } from '../../platform/once.ts'
import { compress, compressPieces } from './compress.ts'
import type { DocumentCache } from './document-cache.ts'
import { documentEtag, documentHash } from './etag.ts'
import type { Coding } from './negotiate.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Body = string | Uint8Array
/** A body that is too large to be held whole; makes it again each time. */
export type InPieces = { pieces(): Iterable<Body> }

/** A document in one coding, ready to be sent without copying. */
export type EncodedDocument = {
  content(): Blob | ReadableStream
  /** In bytes. */
  size: number
  etag: string
  headers: Headers
  /** The headers of a 304 response. */
  unchanged: Headers
}

export type Document = {
  readonly type: string
  /** True if it is compressed before the first request. */
  readonly isLarge: boolean
  /** Without a promise if this coding is ready. */
  written(coding: Coding): EncodedDocument | Promise<EncodedDocument>
  /** The plain bytes; made again unless they are held. */
  pieces(): Iterable<Bytes>
  compressAll(): Promise<void>
}

type Source = {
  type: string
  body: Body | (() => Body) | InPieces
  headers?: Readonly<Record<string, string>>
}

// Smaller documents are compressed on the first request.
export const LARGE_BYTES = 64 * 1024
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
const NO_HEADERS = {}
const encoder = new TextEncoder()

// Two sets of a dozen headers, beside the bytes.
const HEADERS_BYTES = 4 * 1024

/**
 * Keeps each coding of a document once it is made. Of a document that is made on request, codings
 * are kept while `cache` has room for them; of one in pieces, all but the plain bytes.
 */
export function documentOf(source: Source, cache: DocumentCache): Document {
  const { body } = source
  if (typeof body === 'object' && 'pieces' in body) return documentInPieces(source, body)
  return new WholeDocument(source, body, cache)
}

type Encodings = Map<Coding, EncodedDocument | Promise<EncodedDocument>>

/** A class, because a large catalog has 200,000 of them and closures would take three times the memory. */
class WholeDocument implements Document {
  readonly type: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #body: Bytes | (() => Body)
  readonly #cache: DocumentCache
  #encodings: Encodings | undefined
  #forget: (() => void) | undefined
  #hash: string | undefined

  constructor(
    { type, headers = NO_HEADERS }: Source,
    body: Body | (() => Body),
    cache: DocumentCache,
  ) {
    this.type = type
    this.#headers = headers
    this.#body = typeof body === 'function' ? body : bytesOf(body)
    this.#cache = cache
  }

  get isLarge() {
    return typeof this.#body !== 'function' && this.#body.length >= LARGE_BYTES
  }

  written(coding: Coding) {
    const cached = this.#encodings?.get(coding)
    if (cached) return cached
    const own = this.#bytes()
    if (coding === 'identity') return this.#keep(own, own, coding)
    const pending = compress(own, coding).then((packed) => this.#keep(own, packed, coding))
    this.#put(coding, pending)
    return pending
  }

  pieces() {
    return [this.#bytes()]
  }

  async compressAll() {
    for (const coding of COMPRESSED) await this.written(coding)
  }

  #bytes(): Bytes {
    return typeof this.#body === 'function' ? bytesOf(this.#body()) : this.#body
  }

  #keep(own: Bytes, packed: Bytes, coding: Coding): EncodedDocument {
    this.#hash ??= documentHash(own)
    const about = { type: this.type, headers: this.#headers, hash: this.#hash, coding }
    const encoded = encodedDocument({ ...about, ...blobContent(new Blob([packed])) })
    this.#put(coding, encoded)
    if (typeof this.#body === 'function') {
      this.#forget ??= () => {
        this.#encodings = undefined
      }
      this.#cache.put(this.#forget, packed.length + HEADERS_BYTES)
    }
    return encoded
  }

  #put(coding: Coding, encoded: EncodedDocument | Promise<EncodedDocument>) {
    this.#encodings ??= new Map()
    this.#encodings.set(coding, encoded)
  }
}

function documentInPieces({ type, headers = {} }: Source, body: InPieces): Document {
  const pieces = () => body.pieces()[Symbol.iterator]()
  const bytes = function* () {
    for (const piece of body.pieces()) yield bytesOf(piece)
  }
  let encodings: Map<Coding, EncodedDocument> | undefined

  const make = loadOnce(async () => {
    const { size, hash, packed } = await compressPieces(bytes())
    const about = { type, headers, hash }
    const plain = { size, content: () => streamOf(pieces()) }
    encodings = new Map<Coding, EncodedDocument>([
      ['identity', encodedDocument({ ...about, coding: 'identity', ...plain })],
    ])
    for (const [coding, blob] of packed) {
      encodings.set(coding, encodedDocument({ ...about, coding, ...blobContent(blob) }))
    }
    return encodings
  })
  const of = (all: Map<Coding, EncodedDocument>, coding: Coding) => {
    const document = all.get(coding)
    if (document) return document
    throw new Error(`no coding ${coding}`)
  }
  return {
    type,
    isLarge: true,
    written: (coding) =>
      encodings ? of(encodings, coding) : make().then((all) => of(all, coding)),
    pieces: bytes,
    compressAll: async () => {
      await make()
    },
  }
}

function blobContent(blob: Blob): Pick<Encoding, 'content' | 'size'> {
  return { size: blob.size, content: () => blob }
}

/** Makes each piece when the one before was sent. */
function streamOf(pieces: Iterator<Body>): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      const { done, value } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(bytesOf(value))
    },
  })
}

type Encoding = {
  type: string
  headers: Readonly<Record<string, string>>
  /** Of the plain bytes. */
  hash: string
  coding: Coding
} & Pick<EncodedDocument, 'content' | 'size'>

function encodedDocument({
  type,
  headers,
  hash,
  coding,
  content,
  size,
}: Encoding): EncodedDocument {
  const etag = documentEtag(hash, coding)
  const encodingHeader = coding === 'identity' ? {} : { 'content-encoding': coding }
  const cacheHeaders = { 'cache-control': CACHE_CONTROL, vary: 'Accept-Encoding' }
  const common = { ...SAFE, ...OPEN_TO_ALL, ...cacheHeaders, ...headers, etag }
  return {
    content,
    size,
    etag,
    headers: new Headers({ 'content-type': type, ...encodingHeader, ...common }),
    unchanged: new Headers(common),
  }
}

/** A file that is compressed already, sent from the disk; `hash` is that of its bytes. */
export function fileDocument(
  path: string,
  about: Pick<Encoding, 'type' | 'headers' | 'hash'>,
): Document {
  const file = Bun.file(path)
  const encoded = encodedDocument({ ...about, coding: 'identity', ...blobContent(file) })
  return {
    type: about.type,
    isLarge: false,
    written: () => encoded,
    pieces: () => [readFileSync(path)],
    compressAll: async () => {},
  }
}

function bytesOf(body: Body): Bytes {
  return (typeof body === 'string' ? encoder.encode(body) : body) as Bytes
}
