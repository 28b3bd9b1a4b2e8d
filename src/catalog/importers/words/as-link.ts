import { TypeCompiler } from '@sinclair/typebox/compiler'
import { link } from '../../records/words.ts'

const LINK = TypeCompiler.Compile(link(''))

/**
 * A web address as the files write it, with other letters encoded; undefined if it is not one, has
 * a password, or leads into a private network.
 */
export function asLink(value: unknown): string | undefined {
  // Two addresses in one text are none.
  if (typeof value !== 'string' || /\s\S*:\/\//.test(value.trim())) return undefined
  const url = URL.parse(value.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  if (!isOutside(url.hostname)) return undefined
  const href = url.href.replace(/[^A-Za-z0-9._~:/?#@!$&'()*+,;=%-]/g, encodeURIComponent)
  const plain = /^https?:\/\/[^/?#]+\/$/.test(href) ? href.slice(0, -1) : href
  return LINK.Check(plain) ? plain : undefined
}

/** A name with a dot, which somebody can own. */
function isOutside(host: string): boolean {
  if (!host.includes('.') || /^[\d.]+$/.test(host)) return false
  return !/\.(local|localhost|internal|invalid|test|example|lan|home|corp)$/.test(host)
}
