import type { Clock } from '../../platform/clock.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { type Check, failedCheck, passedCheck, skippedCheck, warnedCheck } from '../check.ts'
import type { LastSignIn } from './last-sign-in.ts'
import { type Provider, redirectOf } from './model/provider.ts'
import { createProviderDocuments, discoveryOf, readAnswer } from './provider-documents.ts'
import { innerFailure, type ProviderFailure } from './provider-failure.ts'

type Deps = { outside: GuardedFetch; clock: Clock; baseUrl: string }

export const REDIRECT = 'Redirect address'
// The tolerance for tokens is half a minute.
const AHEAD_MS = 30_000
// Of keys that can sign an id token; the others are secrets, or for something else.
const SIGNS = new Set(['RSA', 'EC', 'OKP'])

/**
 * Checks whether people can sign in with a provider, as far as that is seen without signing in: what
 * it says of itself, its keys and its clock, and what the last sign-in brought; and says which address
 * has to be registered there.
 */
export async function checkProvider(
  deps: Deps,
  provider: Provider,
  last?: LastSignIn,
): Promise<Check[]> {
  const documents = createProviderDocuments(deps)
  try {
    const metadata = await documents.metadata(provider)
    return [
      passedCheck('configuration', 'Provider', `${provider.name} answers as ${metadata.issuer}.`),
      ...challengeChecks(metadata),
      await keysCheck(() => documents.keys(provider)),
      await clockCheck(deps, provider),
      lastCheck(last),
      redirectCheck(deps, provider),
    ]
  } catch (error) {
    const failure = innerFailure(error)
    if (!failure) throw error
    const link = failure.kind === 'down' ? 'address' : 'configuration'
    return [
      failedCheck(link, 'Provider', failure.message, cureOf(failure)),
      ...['Keys', 'Clock'].map((name) =>
        skippedCheck(link, `${name} of the provider`, 'What it says of itself cannot be read.'),
      ),
      redirectCheck(deps, provider),
    ]
  }
}

function cureOf({ kind, code }: ProviderFailure): string {
  if (code === 'blocked') {
    return 'Add it as allow_private_hosts to beckon.toml in the data folder, and start the server again.'
  }
  return kind === 'down'
    ? 'Check the issuer, and that this machine reaches it; until then nobody new signs in there.'
    : 'Correct the issuer, or ask whoever runs the provider.'
}

/** Whoever stole a code could use it without PKCE; many do not say that they have it. */
function challengeChecks({ code_challenge_methods_supported: methods }: Record<string, unknown>) {
  if (!Array.isArray(methods) || methods.includes('S256')) return []
  const cure = 'Switch PKCE with S256 on there.'
  const message = 'It says that it does not take PKCE with S256, which each sign-in here uses.'
  return [warnedCheck('configuration', 'PKCE', message, cure)]
}

async function keysCheck(read: () => Promise<{ keys: Record<string, unknown>[] }>): Promise<Check> {
  const name = 'Keys of the provider'
  try {
    const { keys } = await read()
    const count = keys.filter(({ kty, use }) => SIGNS.has(String(kty)) && use !== 'enc').length
    if (count > 0) {
      const words = count === 1 ? 'One key signs' : `${count} keys sign`
      return passedCheck('configuration', name, `${words} what it says of people.`)
    }
    const cure = 'Give the client a signing algorithm with public keys there, such as RS256.'
    return failedCheck('configuration', name, 'It has no public key that signs tokens.', cure)
  } catch (error) {
    const failure = innerFailure(error)
    if (!failure) throw error
    const cure = 'Check the jwks_uri of its metadata.'
    return failedCheck('configuration', name, failure.message, cure)
  }
}

async function clockCheck({ outside, clock }: Deps, provider: Provider): Promise<Check> {
  const name = 'Clock of the provider'
  const { headers } = await readAnswer(outside, provider, discoveryOf(provider), {})
  const there = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(there)) return skippedCheck('configuration', name, 'It does not say its time.')
  const apart = Math.abs(there - clock.now())
  const seconds = Math.round(apart / 1_000)
  if (apart <= AHEAD_MS) {
    return passedCheck('configuration', name, `It differs by ${seconds} s from the one here.`)
  }
  const cure = 'Let both set their time by NTP.'
  const message = `It differs by ${seconds} s from the one here, so tokens may count as expired or not made yet.`
  return failedCheck('configuration', name, message, cure)
}

function lastCheck(last: LastSignIn | undefined): Check {
  const name = 'Last sign-in'
  if (!last) return skippedCheck('configuration', name, 'Nobody has signed in with it so far.')
  const message = `It brought ${last.claims.join(', ')}.`
  if (last.groupsUnknown === null) return passedCheck('configuration', name, message)
  const cure = 'Set the claim that has the groups, or let the provider send one.'
  return warnedCheck('configuration', name, `${message} ${last.groupsUnknown}`, cure)
}

function redirectCheck({ baseUrl }: Deps, provider: Provider): Check {
  const address = redirectOf(baseUrl, provider)
  return passedCheck('configuration', REDIRECT, `Registered there has to be ${address}`)
}
