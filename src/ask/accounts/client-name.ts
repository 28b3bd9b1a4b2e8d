import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import type { Spoken } from '../../platform/mcp/offer.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { Agent } from './agent.ts'
import type { ClientNames } from './client-names.ts'

const NAME_MAX = 100
// The names of what carries requests say nothing about who asks.
const RUNTIMES = /^(node|bun|deno|undici|axios|got|curl|mozilla|python.*|go-http-client|okhttp)$/i

/**
 * What the tool client calls itself, for display only: `clientInfo`, which each call of the modern
 * era carries and a client of the old one gave when it connected; else the product of `User-Agent`.
 * Where several clients connected that their calls cannot be told apart by, it is the token's name.
 */
export async function clientName(
  agent: Agent,
  headers: Headers,
  era: Spoken,
  names: ClientNames | undefined,
): Promise<string | undefined> {
  if (era.kind === 'modern') return nameIn(era.meta.clientInfo) ?? productOf(headers)
  const known = names && (await unlessUnavailable(names.of(connectionOf(agent, headers))))
  if (known === 'several') return agent.tokenName
  return typeof known === 'object' ? known.one : productOf(headers)
}

/** Remembers what the client that connects calls itself, when it says so. */
export async function rememberName(
  agent: Agent,
  headers: Headers,
  { clientInfo }: Fields,
  names: ClientNames,
): Promise<void> {
  const name = isFields(clientInfo) ? nameIn(clientInfo) : undefined
  if (name !== undefined) await names.greeted(connectionOf(agent, headers), name)
}

function connectionOf({ tokenId }: Agent, headers: Headers) {
  return { tokenId, product: saidProduct(headers) ?? '' }
}

function nameIn({ title, name }: Fields): string | undefined {
  return nameOf(title) ?? nameOf(name)
}

function productOf(headers: Headers): string | undefined {
  const product = saidProduct(headers)
  return product && !RUNTIMES.test(product) ? product : undefined
}

/** Without its version, which an update changes between connecting and calling. */
function saidProduct(headers: Headers): string | undefined {
  return nameOf(headers.get('user-agent')?.split(/[/\s]/, 1)[0])
}

function nameOf(said: unknown): string | undefined {
  if (typeof said !== 'string') return undefined
  return cutText(cleanLine(said.slice(0, 4 * NAME_MAX)), NAME_MAX) || undefined
}
