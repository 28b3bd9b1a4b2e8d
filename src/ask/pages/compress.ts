import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { randomText } from '../../platform/ids.ts'

// Less is sent in one packet with its headers.
const WORTHWHILE_BYTES = 1_024

const inBrotli = promisify(brotliCompress)
const inGzip = promisify(gzip)

/**
 * Compresses a page for the browser that asked for it. The size of a compressed page tells an
 * eavesdropper if a text that they sent in is also in the page (BREACH, 2013). So only pages that
 * nobody else can request are compressed: those that one of our own pages or the person opened
 * (`Sec-Fetch-Site`), by GET, which never shows a new secret. A random length hides what is left.
 */
export async function compressPage(request: Request, page: Response): Promise<Response> {
  const encoding = encodingFor(request, page)
  if (!encoding) return page
  const text = await page.text()
  const headers = new Headers(page.headers)
  headers.set('vary', 'accept-encoding, sec-fetch-site')
  if (text.length < WORTHWHILE_BYTES) return new Response(text, { status: page.status, headers })
  headers.set('content-encoding', encoding)
  const padded = `${text}<!--${randomText(randomLength())}-->`
  return new Response(await compress(padded, encoding), { status: page.status, headers })
}

type Encoding = 'br' | 'gzip'

function encodingFor(request: Request, page: Response): Encoding | undefined {
  const from = request.headers.get('sec-fetch-site')
  const isOurs = from === 'same-origin' || from === 'none'
  const isPage = page.headers.get('content-type')?.startsWith('text/html')
  if (request.method !== 'GET' || !isOurs || !isPage) return undefined
  const accepted = request.headers.get('accept-encoding') ?? ''
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}

function compress(text: string, encoding: Encoding) {
  if (encoding === 'gzip') return inGzip(text)
  // A tenth smaller than gzip in the same time.
  return inBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}

/** 0 to 255: a guess then costs an eavesdropper thousands of requests for each character. */
function randomLength(): number {
  return randomBytes(1)[0] ?? 0
}
