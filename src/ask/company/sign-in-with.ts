import type { Config } from '../../platform/config/config.ts'
import { Failure } from '../../platform/failure.ts'
import type { Bucket } from '../../platform/http/limits.ts'
import { randomText } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { Person } from '../accounts/model/person.ts'
import type { Authentication } from '../sign-in/authentication.ts'
import { recordSignIn } from '../sign-in/sign-in-trail.ts'
import { type AdmitDeps, admit, connect, makeStamps } from './admit.ts'
import {
  type AskProviderDeps,
  addressAtProvider,
  makeFlowSecrets,
  readAnswerOf,
  requireFresh,
} from './ask-provider.ts'
import type { Arrival } from './model/arrival.ts'
import { FLOW_MS, FLOWS_MAX, type FlowPurpose, type SignInFlow } from './model/flow.ts'
import { addFlow, countFlows, takeFlow } from './model/flow-store.ts'
import { HOUR_MS, type Provider, redirectOf } from './model/provider.ts'
import type { ProviderFailure } from './provider-failure.ts'
import { readProvider } from './providers.ts'

export type SignInWithDeps = AskProviderDeps &
  AdmitDeps & {
    log: Log
    config: Pick<Config, 'baseUrl' | 'company'>
    authentication: Authentication
    /** Sign-ins that begin, by client address: each is stored. */
    starts: Bucket
    addressOf(request: Request): string
  }

/** Throws `not_found` for a provider that does not exist. */
export async function requireProvider(
  { db, config: { company } }: Pick<SignInWithDeps, 'db' | 'config'>,
  id: string,
): Promise<Provider> {
  const provider = await readProvider({ read: db.read, company }, id)
  if (provider) return provider
  throw new Failure('not_found', 'No provider with this name signs people in here.')
}

type Begin = { next: string; purpose: Exclude<FlowPurpose, 'confirm'>; person?: Person | undefined }

/**
 * Begins a sign-in in the browser that holds `browser`. Resolves to the address at the provider.
 * Throws a `ProviderFailure`, and `rate_limited`.
 */
export async function beginSignIn(
  deps: SignInWithDeps,
  request: Request,
  provider: Provider,
  { next, purpose, person, browser }: Begin & { browser: string },
): Promise<string> {
  const { db, clock, config } = deps
  deps.starts.take(deps.addressOf(request))
  const secrets = await makeFlowSecrets()
  const redirect = redirectOf(config.baseUrl, provider)
  const again = purpose === 'again'
  const to = await addressAtProvider(deps, provider, secrets, { redirect, again })
  const now = clock.now()
  const flow: SignInFlow = {
    hash: sha256(secrets.state),
    provider: provider.id,
    browserHash: sha256(browser),
    nonce: secrets.nonce,
    verifier: secrets.verifier,
    next,
    purpose,
    personId: person?.id ?? null,
    arrival: null,
    createdAt: now,
    expiresAt: now + FLOW_MS,
  }
  await db.write(async (tx) => {
    if ((await countFlows(tx, now)) >= FLOWS_MAX) throw tooMany()
    await addFlow(tx, flow)
  })
  return to
}

/** Signed in; or an account that its person has to confirm, with the code to do so. */
export type Return =
  | { kind: 'in'; headers: Headers; next: string }
  | { kind: 'linked'; next: string }
  | { kind: 'confirm'; code: string }
  | { kind: 'refused'; sentence: string }

/**
 * Ends a sign-in that has begun in this browser: signs in who comes back, or says why not. Throws
 * `gone` for one that is unknown, used or over, and a `ProviderFailure`.
 */
export async function endSignIn(
  deps: SignInWithDeps,
  request: Request,
  provider: Provider,
  { browser, person }: { browser: string; person: Person | undefined },
): Promise<Return> {
  const { search, searchParams } = new URL(request.url)
  const state = searchParams.get('state') ?? ''
  const key = { hash: sha256(state), browserHash: sha256(browser), provider: provider.id }
  const now = deps.clock.now()
  const flow = await deps.db.write((tx) => takeFlow(tx, key, now))
  if (!flow || flow.purpose === 'confirm') throw spent()
  const answer = new URL(redirectOf(deps.config.baseUrl, provider))
  answer.search = search
  const { nonce, verifier } = flow
  const arrival = await readAnswerOf(deps, provider, answer, { state, nonce, verifier })
  if (flow.purpose === 'link') return await link(deps, provider, arrival, { flow, person })
  if (flow.purpose === 'again') requireFresh(provider, arrival, flow.createdAt)
  return await enter(deps, request, provider, { flow, arrival })
}

async function enter(
  deps: SignInWithDeps,
  request: Request,
  provider: Provider,
  { flow, arrival }: { flow: SignInFlow; arrival: Arrival },
): Promise<Return> {
  const from = deps.addressOf(request)
  const admission = await admit(deps, provider, arrival, from)
  if (admission.kind === 'refused') return admission
  if (admission.kind === 'confirm') {
    return { kind: 'confirm', code: await askToConfirm(deps, flow, arrival, admission.person) }
  }
  const now = deps.clock.now()
  const { provenAt = undefined, sid } = arrival
  const proof = {
    provider: provider.id,
    sid: sid ?? undefined,
    until: now + provider.hours * HOUR_MS,
    // The clock there may be ahead of ours.
    at: provenAt && Math.min(provenAt, now),
  }
  const headers = await deps.authentication.enter(request, admission.id, proof)
  const who = { id: admission.id }
  await recordSignIn(deps, { kind: 'sign_in.succeeded', who, how: provider.name, from })
  return { kind: 'in', headers, next: flow.next }
}

/** The account is kept until its person has proven themselves, in the same browser. */
async function askToConfirm(
  { db, clock }: SignInWithDeps,
  flow: SignInFlow,
  arrival: Arrival,
  person: Person,
): Promise<string> {
  const code = randomText(32)
  const now = clock.now()
  const waiting = { purpose: 'confirm', personId: person.id, arrival } as const
  const times = { createdAt: now, expiresAt: now + FLOW_MS }
  await db.write((tx) => addFlow(tx, { ...flow, ...waiting, ...times, hash: sha256(code) }))
  return code
}

/** Connects the account to the signed-in person who asked for it. */
async function link(
  { db, clock }: SignInWithDeps,
  provider: Provider,
  arrival: Arrival,
  { flow, person }: { flow: SignInFlow; person: Person | undefined },
): Promise<Return> {
  if (!person || person.id !== flow.personId || person.workspaceId !== provider.workspaceId) {
    return { kind: 'refused', sentence: NOT_YOU }
  }
  const now = clock.now()
  const stamps = makeStamps(provider, now)
  const isNew = await db.write((tx) => connect(tx, { provider, arrival, person }, stamps))
  return isNew ? { kind: 'linked', next: flow.next } : { kind: 'refused', sentence: TAKEN }
}

const NOT_YOU =
  'Another person is signed in here than the one who wanted to connect an account, so nothing was connected.'
const TAKEN = 'This account is connected to somebody already, so nothing was changed.'

function spent(): Failure {
  return new Failure(
    'gone',
    'This sign-in was used already, took longer than ten minutes, or was begun in another browser. Nobody was signed in. Begin again.',
  )
}

function tooMany(): Failure {
  return new Failure(
    'unavailable',
    'Too many sign-ins are on their way at the moment. Try again in a few minutes.',
    { retryAfter: 60 },
  )
}

/** For the log: why a provider signed nobody in. Never what it sent. */
export function logRefusal(log: Log, provider: Provider, error: ProviderFailure): void {
  const { kind, code } = error
  log.warn('a sign-in with a provider failed', { provider: provider.id, kind, code })
}
