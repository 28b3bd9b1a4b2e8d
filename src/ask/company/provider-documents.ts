import type { Clock } from '../../platform/clock.ts'
import type { GuardedFetch, GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import type { Provider } from './model/provider.ts'
import { ProviderFailure } from './provider-failure.ts'

/** The metadata of a provider (OpenID Connect Discovery, 4), as far as they were checked. */
type Metadata = Record<string, unknown> & {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
}
type KeySet = { keys: Record<string, unknown>[] }

/** What this server knows of its providers, each document kept for an hour. */
export type ProviderDocuments = {
  /** Throws a `ProviderFailure`. Old metadata are renewed in the background. */
  metadata(provider: Provider): Promise<Metadata>
  keys(provider: Provider): Promise<KeySet>
  /** Forgets the keys, at most once in ten seconds for each provider; false if it was too soon. */
  forgetKeys(provider: Provider): boolean
  /** Asks whether the provider can be reached, at most once a minute. */
  isDown(provider: Provider): Promise<boolean>
}

const KEPT_MS = 3_600_000
const FORGET_EVERY_MS = 10_000
const LOOK_EVERY_MS = 60_000
const DOCUMENT_MAX = 512 * 1024

type Deps = { outside: GuardedFetch; clock: Clock }
type Entry<T> = { at: number; value: T }
type Memory = {
  metadata?: Entry<Metadata>
  keys?: Entry<KeySet>
  forgotAt?: number
  look?: Entry<Promise<boolean>>
}

export function createProviderDocuments({ outside, clock }: Deps): ProviderDocuments {
  // By issuer and client, so that a changed provider begins anew.
  const memories = new Map<string, Memory>()
  const memoryOf = ({ id, issuer, clientId }: Provider) =>
    memories.getOrInsertComputed(JSON.stringify([id, issuer, clientId]), () => ({}) as Memory)

  async function renewMetadata(provider: Provider): Promise<Metadata> {
    const value = await readMetadata(outside, provider)
    memoryOf(provider).metadata = { at: clock.now(), value }
    return value
  }

  async function metadata(provider: Provider): Promise<Metadata> {
    const entry = memoryOf(provider).metadata
    if (!entry) return await renewMetadata(provider)
    // What is there goes on; if this fails, the next one tries again.
    if (clock.now() - entry.at > KEPT_MS) renewMetadata(provider).catch(() => {})
    return entry.value
  }

  async function look(provider: Provider): Promise<boolean> {
    try {
      await renewMetadata(provider)
      return false
    } catch (error) {
      return error instanceof ProviderFailure && error.kind === 'down'
    }
  }

  return {
    metadata,
    async keys(provider) {
      const memory = memoryOf(provider)
      const now = clock.now()
      if (memory.keys && now - memory.keys.at < KEPT_MS) return memory.keys.value
      const { jwks_uri } = await metadata(provider)
      const value = await readKeys(outside, provider, jwks_uri)
      memory.keys = { at: now, value }
      return value
    },
    forgetKeys(provider) {
      const memory = memoryOf(provider)
      const now = clock.now()
      if (memory.forgotAt !== undefined && now - memory.forgotAt < FORGET_EVERY_MS) return false
      memory.forgotAt = now
      delete memory.keys
      return true
    },
    isDown(provider) {
      const memory = memoryOf(provider)
      const now = clock.now()
      if (!memory.look || now - memory.look.at > LOOK_EVERY_MS) {
        memory.look = { at: now, value: look(provider) }
      }
      return memory.look.value
    },
  }
}

/** Where a provider says what it is. */
export function discoveryOf({ issuer }: Pick<Provider, 'issuer'>): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

async function readMetadata(outside: GuardedFetch, provider: Provider): Promise<Metadata> {
  const document = await readObject(outside, provider, discoveryOf(provider))
  if (document.issuer !== provider.issuer) {
    throw new ProviderFailure(
      'settings',
      `It says that its issuer is “${String(document.issuer).slice(0, 200)}”, and “${provider.issuer}” is set: they must be the same, byte for byte.`,
      'issuer_differs',
    )
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    const value = document[name]
    if (typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')) continue
    throw new ProviderFailure('settings', `Its metadata have no ${name}.`, 'metadata_incomplete')
  }
  return document as Metadata
}

async function readKeys(outside: GuardedFetch, provider: Provider, address: string) {
  const { keys } = await readObject(outside, provider, address)
  if (Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)) {
    return { keys }
  }
  throw new ProviderFailure('settings', 'Its set of keys is none.', 'keys_malformed')
}

async function readObject(outside: GuardedFetch, provider: Provider, address: string) {
  const text = await readAnswer(outside, provider, address, {
    headers: { accept: 'application/json' },
  }).then(async (response) => {
    if (response.ok) return await response.text()
    throw new ProviderFailure(
      'settings',
      `${address} answers ${response.status}.`,
      `status_${response.status}`,
    )
  })
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The same as JSON of another kind.
  }
  throw new ProviderFailure('settings', `${address} answers no JSON object.`, 'no_json')
}

/** Asks the provider. Throws a `ProviderFailure` if it does not answer, or with a 5xx. */
export async function readAnswer(
  outside: GuardedFetch,
  { name }: Pick<Provider, 'name'>,
  address: string,
  request: GuardedRequest,
): Promise<Response> {
  const reply = await outside.fetch(address, { ...request, maxBytes: DOCUMENT_MAX })
  const host = URL.parse(address)?.host ?? address
  if (reply.outcome === 'blocked') {
    throw new ProviderFailure(
      'settings',
      `${reply.reason} The address is ${host}; if it is yours, name it in BECKON_ALLOW_PRIVATE_HOSTS.`,
      'blocked',
    )
  }
  if (reply.outcome !== 'answered') {
    throw new ProviderFailure('down', `${host}: ${reply.reason}`, reply.outcome)
  }
  const { status, headers, body, cut } = reply
  if (status >= 500 || cut) {
    throw new ProviderFailure('down', `${name} answers ${status}.`, `status_${status}`)
  }
  return new Response(NO_BODY.has(status) ? null : Buffer.from(body), { status, headers })
}

const NO_BODY = new Set([101, 204, 205, 304])
