import { createHash } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { oncePer } from '../once.ts'

/** An embedded file: text, or bytes that are compressed already. */
export type EmbeddedFile = { type: string; read: () => string | Uint8Array<ArrayBuffer> }

/**
 * Embedded files at addresses that change with their content, so that they can be cached for ever.
 */
export type EmbeddedFiles<Name extends string> = {
  /** `/assets/app.css` as `/assets/app.HASH.css`. */
  address(name: Name): string
  /** Answers for `NAME.HASH.EXT`; undefined if there is no such file. */
  serve(file: string, acceptEncoding: string | null): Response | undefined
}

type LoadedFile = {
  address: string
  type: string
  plain: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
}

/** `folder` is where the files are served, with a slash at both ends. */
export function createEmbeddedFiles<Name extends string>(
  folder: string,
  files: Record<Name, EmbeddedFile>,
): EmbeddedFiles<Name> {
  const byName = new Map<Name, LoadedFile>()
  const byFile = new Map<string, LoadedFile>()

  // Compressed on first use, so that a command that shows no page does not pay for it.
  function load(name: Name): LoadedFile {
    const cached = byName.get(name)
    if (cached) return cached
    const plain = bytesOf(files[name].read())
    const address = addressOf(folder, name, plain)
    const gzip = Bun.gzipSync(plain, { level: 9 })
    const file = { address, type: files[name].type, plain, gzip }
    byName.set(name, file)
    byFile.set(address.slice(folder.length), file)
    return file
  }

  return {
    address: (name) => load(name).address,
    serve(file, acceptEncoding) {
      for (const name of Object.keys(files) as Name[]) load(name)
      const embedded = byFile.get(file)
      return embedded && answer(embedded, acceptEncoding)
    },
  }
}

/** The address of `name` in `folder` while it has these bytes: `/assets/app.HASH.css`. */
export function addressOf(folder: string, name: string, bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 10)
  return folder + name.replace(/\.(\w+)$/, `.${hash}.$1`)
}

function answer(file: LoadedFile, acceptEncoding: string | null): Response {
  const headers: Record<string, string> = {
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  }
  const packed = (encoding: string, bytes: Uint8Array<ArrayBuffer>) =>
    new Response(bytes, { headers: { ...headers, 'content-encoding': encoding } })
  if (/\bbr\b/.test(acceptEncoding ?? '')) return packed('br', brotliOf(file))
  if (acceptEncoding?.includes('gzip')) return packed('gzip', file.gzip)
  return new Response(file.plain, { headers })
}

// An eighth smaller than gzip, but slow to make, so it is made for the first request that accepts
// it.
const brotliOf = oncePer(({ plain }: LoadedFile) => new Uint8Array(brotliCompressSync(plain)))

function bytesOf(read: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof read === 'string' ? new TextEncoder().encode(read) : read
}

/**
 * Joins stylesheets and removes what is only there for readers; no text in them contains braces or
 * semicolons. Not Bun's own minifier: it rewrites `light-dark()` for browsers of 2020, and the
 * result is larger.
 */
export function minifiedCss(...sheets: string[]): string {
  return sheets
    .join('\n')
    .replace(/^ *\/\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '')
    .replace(/^ +/gm, '')
    .replace(/\s*([{};,])\s*/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
}
