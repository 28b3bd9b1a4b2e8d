import { cleanLine, cutText } from '../kernel/text.ts'
import type { Era } from '../protocol/era.ts'

const NAME_MAX = 100
// The names of what carries requests say nothing about who asks.
const RUNTIMES = /^(node|bun|deno|undici|axios|got|curl|mozilla|python.*|go-http-client|okhttp)$/i

/**
 * What the tool client calls itself, for display only: `clientInfo` in the modern era, the product
 * of `User-Agent` in the old one, whose calls carry nothing else.
 */
export function clientName(headers: Headers, era: Exclude<Era, { kind: 'refusal' }>) {
  if (era.kind === 'old') return productOf(headers.get('user-agent'))
  const { title, name } = era.meta.clientInfo
  return nameOf(title) ?? nameOf(name)
}

function productOf(userAgent: string | null): string | undefined {
  const product = nameOf(userAgent?.split(/[/\s]/, 1)[0])
  return product && !RUNTIMES.test(product) ? product : undefined
}

function nameOf(said: unknown): string | undefined {
  if (typeof said !== 'string') return undefined
  return cutText(cleanLine(said.slice(0, 4 * NAME_MAX)), NAME_MAX) || undefined
}
