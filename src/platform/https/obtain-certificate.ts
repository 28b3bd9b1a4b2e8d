import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
} from 'node:crypto'
import { type Clock, pause } from '../clock.ts'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { type AcmeClient, AcmeFailure, createAcmeClient, type Order } from './acme-client.ts'
import {
  type Account,
  type Attempts,
  type CertificateFiles,
  isPair,
  type KeptCertificate,
} from './certificate-files.ts'
import { signingRequest } from './signing-request.ts'

export type ObtainDeps = {
  directory: string
  domains: readonly string[]
  contact: string | undefined
  files: CertificateFiles
  clock: Clock
  fetch: GuardedFetch['fetch']
  /** The answers of port 80 at `/.well-known/acme-challenge/TOKEN`, by token. */
  challenges: Map<string, string>
  signal: AbortSignal
}

const POLL_MS = 1_000
const POLL_MAX_MS = 30_000
// If the authority takes longer, the next attempt asks again for the same order.
const PATIENCE_MS = 3 * 60_000

/** The requests to an authority about one order. */
type Talk = ObtainDeps & { client: AcmeClient; order: NonNullable<Attempts['order']> }

/**
 * One attempt at a certificate (RFC 8555, 7.4): continues the order in `attempts`, or creates one.
 * Each step is on disk before the next, so that the next process can continue there. Throws
 * `AcmeFailure`, or the system's error if the disk refuses.
 */
export async function obtainCertificate(
  deps: ObtainDeps,
  attempts: Attempts,
): Promise<KeptCertificate> {
  try {
    return await attempt(deps, attempts, openAccount(deps))
  } catch (error) {
    if (!(error instanceof AcmeFailure) || error.kind !== 'accountDoesNotExist') throw error
    // The authority has forgotten our account, and the order with it.
    const { directory, key } = openAccount(deps)
    attempts.order = undefined
    deps.files.write('account', { directory, key })
    return await attempt(deps, attempts, { directory, key })
  }
}

/** The account with this authority; a new one has a key and no address yet. */
function openAccount({ files, directory }: ObtainDeps): Account {
  const existing = files.read('account')
  if (existing?.directory === directory) return existing
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const account = { directory, key: privateKey.export({ format: 'jwk' }) as Account['key'] }
  files.write('account', account)
  return account
}

async function attempt(deps: ObtainDeps, attempts: Attempts, account: Account) {
  const { files, domains, directory, clock, fetch, signal } = deps
  const client = createAcmeClient({
    directory,
    key: account.key,
    account: account.url,
    fetch,
    now: clock.now,
    signal,
  })
  if (account.url === undefined) {
    const url = await client.openAccount(deps.contact)
    files.write('account', { ...account, url })
  }
  const order = (await resumed(client, attempts)) ?? (await ordered(deps, client, attempts))
  const talk = { ...deps, client, order }
  try {
    const chain = await fulfil(talk)
    if (!isPair(order.key, chain) || !covers(chain, domains)) {
      attempts.order = undefined
      throw new AcmeFailure('The authority sent another certificate than was asked for.')
    }
    return { directory, names: domains, key: order.key, chain, obtainedAt: clock.now() }
  } catch (error) {
    if (error instanceof OrderLost) attempts.order = undefined
    throw error
  }
}

/** The order can no longer succeed. */
class OrderLost extends AcmeFailure {}

/** The order of an earlier attempt, if it can still succeed. */
async function resumed(client: AcmeClient, attempts: Attempts): Promise<Attempts['order']> {
  if (attempts.order === undefined) return undefined
  try {
    const { order } = await client.order(attempts.order.url)
    if (order.status !== 'invalid') return attempts.order
  } catch (error) {
    const isGone =
      error instanceof AcmeFailure && /^(malformed|unauthorized)$/.test(`${error.kind}`)
    if (!isGone) throw error
  }
  attempts.order = undefined
  return undefined
}

async function ordered(deps: ObtainDeps, client: AcmeClient, attempts: Attempts) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const { url } = await client.newOrder(deps.domains)
  attempts.order = { url, key }
  deps.files.write('attempts', attempts)
  return attempts.order
}

/** Takes an order through all remaining steps; resolves to the certificate in PEM. */
async function fulfil(talk: Talk): Promise<string> {
  const { client, order, domains } = talk
  const { order: current } = await client.order(order.url)
  for (const url of current.status === 'pending' ? current.authorizations : [])
    await prove(talk, url)
  const ready = await orderOnce(talk, ({ status }) => status !== 'pending')
  if (ready.status === 'ready') {
    const key = createPrivateKey(order.key)
    const request = signingRequest(domains, { key, publicKey: createPublicKey(key) })
    await client.finalize(ready.finalize, request)
  }
  const { certificate } = await orderOnce(talk, (one) => one.certificate !== undefined)
  return await client.download(certificate ?? '')
}

/** Proves to the authority that a name belongs to this server. */
async function prove({ client, challenges, ...wait }: Talk, url: string): Promise<void> {
  const { authorization } = await client.authorization(url)
  const { name, challenge } = authorization
  if (authorization.status === 'valid') return
  if (!challenge) throw new OrderLost(`The authority offers no HTTP-01 challenge for ${name}.`)
  challenges.set(challenge.token, await client.keyAuthorization(challenge.token))
  try {
    if (challenge.status === 'pending') await client.beginChallenge(challenge.url)
    const last = await polled(wait, async () => {
      const { authorization: now, retryAfterMs } = await client.authorization(url)
      return { value: now, isDone: !/^(pending|processing)$/.test(now.status), retryAfterMs }
    })
    if (last.status === 'valid') return
    const why = last.challenge ? last.error : undefined
    throw new OrderLost(`${name} was not validated: ${why ?? `it is ${last.status}`}`)
  } finally {
    challenges.delete(challenge.token)
  }
}

async function orderOnce(
  { client, order, ...wait }: Talk,
  isWanted: (order: Order) => boolean,
): Promise<Order> {
  return await polled(wait, async () => {
    const { order: now, retryAfterMs } = await client.order(order.url)
    if (now.status === 'invalid') {
      throw new OrderLost(`The authority ended the order: ${now.error ?? 'it does not say why'}`)
    }
    return { value: now, isDone: isWanted(now), retryAfterMs }
  })
}

type Poll<T> = { value: T; isDone: boolean; retryAfterMs: number | undefined }

/** Polls until it is done, as often as the authority asks for. */
async function polled<T>(
  { clock, signal }: Pick<ObtainDeps, 'clock' | 'signal'>,
  look: () => Promise<Poll<T>>,
): Promise<T> {
  const until = clock.now() + PATIENCE_MS
  for (;;) {
    const { value, isDone, retryAfterMs = POLL_MS } = await look()
    if (isDone) return value
    if (clock.now() > until) throw new AcmeFailure('The authority has not decided in time.')
    await pause(clock, Math.min(retryAfterMs, POLL_MAX_MS), signal)
    if (signal.aborted) throw new AcmeFailure('The server stops.')
  }
}

function covers(chain: string, names: readonly string[]): boolean {
  const certificate = new X509Certificate(chain)
  return names.every((name) => certificate.checkHost(name) !== undefined)
}
