import type { Clock } from '../../../platform/clock.ts'
import { createTtlCache } from '../../../platform/db/change-bus.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { dropSetting, putSetting, readSetting } from '../../../platform/db/settings-store.ts'
import { unlessUnavailable } from '../../../platform/db/storage-failure.ts'
import { createTokenBucket } from '../../../platform/http/limits.ts'
import type { KnownEra } from '../../../platform/mcp/dispatcher.ts'
import { type Fields, isFields } from '../../../platform/mcp/message.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import type { Agent } from './agent.ts'
import type { TokenId } from './ids.ts'

/** How requests of one connection are recognised: the token, and the product in `User-Agent`. */
type Connection = { tokenId: TokenId; product: string }

/**
 * The names that tool clients gave when they connected. In the protocol's era with a handshake a
 * client gives its name once; its calls carry only the token and `User-Agent`.
 */
export type ClientNames = Disposable & {
  /** A client connected under this name. It is stored, so that a restart confuses nobody. */
  greeted(by: Connection, name: string): Promise<void>
  /**
   * The name of the caller if this connection gave exactly one; `several` if it gave more, so that
   * a call could come from either; undefined if none.
   */
  of(by: Connection): Promise<{ one: string } | 'several' | undefined>
}

/** By product: the names that were given, and when each was last used. */
type NamesByProduct = Record<string, Record<string, number>>

const DAY_MS = 24 * 60 * 60_000
// Longer than any client keeps running without connecting again.
const KEPT_MS = 7 * DAY_MS
// Per token; a holder of a token can call itself anything.
const PRODUCTS_MAX = 20
// New names of a token: far more than it has clients. Handshakes are not limited elsewhere.
const RATE = { burst: 60, perMinute: 60 }
// Two are enough to know that the name is ambiguous.
const NAMES_MAX = 2

export function createClientNames({ db, clock }: { db: Db; clock: Clock }): ClientNames {
  const count = createTokenBucket(clock, RATE)
  const cache = createTtlCache({ changes: db.changes, clock }, 'token', async (tokenId) =>
    parse(await readSetting(db.read, settingOf(tokenId as TokenId))),
  )

  return {
    async greeted({ tokenId, product }, name) {
      const now = clock.now()
      const recordedAt = namesIn(await cache.of(tokenId), product)[name]
      // Recording once a day that a name is still in use is enough.
      if (recordedAt !== undefined && now - recordedAt < DAY_MS) return
      if (count(tokenId).retryAfter !== undefined) return
      await db.write(async (tx) => {
        await tx.lock(settingOf(tokenId))
        const namesByProduct = parse(await readSetting(tx, settingOf(tokenId)))
        const names = { ...recent(namesIn(namesByProduct, product), now), [name]: now }
        const { [product]: _, ...others } = namesByProduct
        const recentProducts = latest(Object.entries(others), PRODUCTS_MAX - 1)
        const value = { ...recentProducts, [product]: newest(names) }
        await putSetting(tx, settingOf(tokenId), JSON.stringify(value), now)
        tx.emit('token', tokenId)
      })
    },
    async of({ tokenId, product }) {
      const names = namesIn(await cache.of(tokenId), product)
      const [one, another] = Object.keys(recent(names, clock.now()))
      if (one === undefined) return undefined
      return another === undefined ? { one } : 'several'
    },
    [Symbol.dispose]: () => cache[Symbol.dispose](),
  }
}

/** Deletes the names of a revoked token. */
export async function forgetClientNames(tx: Tx, tokenId: TokenId): Promise<void> {
  await dropSetting(tx, settingOf(tokenId))
}

function settingOf(tokenId: TokenId): string {
  return `client_names:${tokenId}`
}

function parse(text: string | undefined): NamesByProduct {
  return text === undefined ? {} : JSON.parse(text)
}

function namesIn(namesByProduct: NamesByProduct, product: string): Record<string, number> {
  return Object.hasOwn(namesByProduct, product) ? (namesByProduct[product] ?? {}) : {}
}

function recent(names: Record<string, number>, now: number): Record<string, number> {
  return Object.fromEntries(Object.entries(names).filter(([, at]) => now - at < KEPT_MS))
}

function newest(names: Record<string, number>): Record<string, number> {
  const byTime = Object.entries(names).sort(([, a], [, b]) => a - b)
  return latest(byTime, NAMES_MAX)
}

function latest<T>(entries: [string, T][], most: number): Record<string, T> {
  return Object.fromEntries(entries.slice(-most))
}

const NAME_MAX = 100
// Names of HTTP libraries and runtimes say nothing about who asks.
const RUNTIMES = /^(node|bun|deno|undici|axios|got|curl|mozilla|python.*|go-http-client|okhttp)$/i

/**
 * The tool client's name for display: `clientInfo`, which each call of the modern era carries and
 * clients of the old era gave when they connected; otherwise the product of `User-Agent`. If
 * several clients connected whose calls cannot be told apart, it is the token's name.
 */
export async function clientName(
  agent: Agent,
  headers: Headers,
  era: KnownEra,
  names: ClientNames | undefined,
): Promise<string | undefined> {
  if (era.kind === 'modern') return nameIn(era.meta.clientInfo) ?? productOf(headers)
  const connectionName = names && (await unlessUnavailable(names.of(connectionOf(agent, headers))))
  if (connectionName === 'several') return agent.tokenName
  return typeof connectionName === 'object' ? connectionName.one : productOf(headers)
}

/** Stores the name of a client that connects, if it gives one. */
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
  return { tokenId, product: userAgentProduct(headers) ?? '' }
}

export function nameIn({ title, name }: Fields): string | undefined {
  return nameOf(title) ?? nameOf(name)
}

/** The product of `User-Agent`, unless it is only a library or a runtime. */
export function productOf(headers: Headers): string | undefined {
  const product = userAgentProduct(headers)
  return product && !RUNTIMES.test(product) ? product : undefined
}

/** Without its version, which an update changes between connecting and calling. */
function userAgentProduct(headers: Headers): string | undefined {
  return nameOf(headers.get('user-agent')?.split(/[/\s]/, 1)[0])
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return cutText(cleanLine(value.slice(0, 4 * NAME_MAX)), NAME_MAX) || undefined
}
