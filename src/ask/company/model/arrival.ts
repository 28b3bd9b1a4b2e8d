import { cleanLine, isBlank } from '../../../platform/text.ts'
import type { Account } from '../../accounts/model/identity-store.ts'
import { cleanEmail, wrongEmail } from '../../accounts/model/person-rules.ts'
import type { Provider } from './provider.ts'

/** Groups that a provider named, or why they are not known: which is never taken for none. */
export type Groups = { names: string[] } | { unknown: string }

/** Somebody whom a provider has proven, as it names them. */
export type Arrival = {
  account: Account
  /** The provider's own session, which it may end. */
  sid: string | null
  /** The address, if the provider says that it is theirs. */
  email: string | null
  /** An address that the provider does not vouch for: nothing follows from it. */
  claimedEmail: string | null
  /** The domain that the address belongs to; null if nobody vouches for one. */
  domain: string | null
  name: string
  /** What a directory calls them, where the provider is set to say it. */
  directoryId?: string
  groups: Groups
  /** The names of all claims that came along, for owners who look for one. */
  claims: string[]
  /** When they proved themselves to the provider, if it says so. */
  provenAt?: number
}

type Claims = Readonly<Record<string, unknown>>

/** Owners ask for no groups, so that none are missing. */
export const NO_CLAIM = 'No claim is set for groups.'

const TEXT_MAX = 500
const GROUPS_MAX = 1_000
const NAME_MAX = 100
const CLAIMS_MAX = 50

/**
 * Reads who came from the id token and userinfo. Throws a sentence for a claim that is not of its
 * kind, or longer than 500 characters.
 */
export function readArrival(
  provider: Pick<Provider, 'id' | 'issuer' | 'groupsClaim' | 'directoryClaim'>,
  idToken: Claims,
  userInfo: Claims,
): Arrival {
  const subject = textOf(idToken, 'sub')
  if (!subject) throw new ClaimError('sub')
  // The address and its proof come from one document: either could be of somebody else.
  const contact = idToken.email === undefined ? userInfo : idToken
  const written = textOf(contact, 'email')
  const address = written === undefined ? undefined : addressOf(written)
  const own = isGoogle(provider) ? ownDomainAtGoogle(idToken, address) : domainOf(address)
  const isVerified = contact.email_verified === true && own !== undefined
  const both = { ...userInfo, ...idToken }
  const username = textOf(both, 'preferred_username')
  const visible = [textOf(both, 'name'), username, address].find((one) => one && !isBlank(one))
  return {
    account: { provider: provider.id, issuer: provider.issuer, subject },
    sid: textOf(idToken, 'sid') ?? null,
    email: (isVerified && address) || null,
    claimedEmail: (!isVerified && address) || null,
    domain: (isVerified && own) || null,
    name: [...(visible ?? subject)].slice(0, NAME_MAX).join(''),
    ...readDirectoryId(provider, both),
    groups: readGroups(provider.groupsClaim, idToken, userInfo),
    claims: namesIn(both),
    ...readProvenAt(idToken),
  }
}

/** Compared as it is: a cleaned one would be that of somebody else. */
function readDirectoryId({ directoryClaim }: Pick<Provider, 'directoryClaim'>, claims: Claims) {
  if (!directoryClaim) return {}
  const directoryId = textOf(claims, directoryClaim)
  if (!directoryId) return {}
  if (claims[directoryClaim] !== directoryId) throw new ClaimError(directoryClaim)
  return { directoryId }
}

const domainOf = (address: string | undefined) => address?.slice(address.lastIndexOf('@') + 1)

const isGoogle = ({ issuer }: Pick<Provider, 'issuer'>) => issuer === 'https://accounts.google.com'

/**
 * Anybody can have an account at Google with an address of elsewhere, and keeps it when they leave
 * there. Google vouches for its own addresses, and for those of the domain that it names.
 */
function ownDomainAtGoogle(idToken: Claims, address: string | undefined): string | undefined {
  const domain = textOf(idToken, 'hd')?.toLowerCase()
  return domain || (domainOf(address) === 'gmail.com' ? 'gmail.com' : undefined)
}

/** A provider that does not know it may say 0. */
function readProvenAt({ auth_time: seconds }: Claims): Pick<Arrival, 'provenAt'> {
  const isKnown = Number.isSafeInteger(seconds) && Number(seconds) > 0
  return isKnown ? { provenAt: Number(seconds) * 1_000 } : {}
}

function namesIn(claims: Claims): string[] {
  const names = Object.keys(claims).map((name) => cleanLine(name).slice(0, NAME_MAX))
  return names.sort().slice(0, CLAIMS_MAX)
}

/** A claim that is not read; the message is its name. */
export class ClaimError extends Error {}

function textOf(claims: Claims, name: string): string | undefined {
  const value = claims[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value.length > TEXT_MAX) throw new ClaimError(name)
  // A cleaned id would be the id of somebody else.
  const isId = name === 'sub' || name === 'sid'
  if (isId && cleanLine(value) !== value) throw new ClaimError(name)
  return name === 'email' ? value : cleanLine(value)
}

/** The address in the form that is compared; undefined for one that is none, or has odd spaces. */
function addressOf(written: string): string | undefined {
  const email = cleanEmail(written)
  return email === written.toLowerCase() && wrongEmail(email).length === 0 ? email : undefined
}

/** Reads the groups from whichever document has them. */
function readGroups(claim: string, idToken: Claims, userInfo: Claims): Groups {
  if (claim === '') return { unknown: NO_CLAIM }
  const value = claimAt(idToken, claim) ?? claimAt(userInfo, claim)
  if (value !== undefined) return groupsIn(value)
  if (isOverage(idToken, claim) || isOverage(userInfo, claim)) {
    return { unknown: 'There were more groups than the provider puts into a token.' }
  }
  return { unknown: `The provider sent no claim ${claim}.` }
}

/** A claim by its name, otherwise by its path: `realm_access.roles`. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name] ?? undefined
  let inner: unknown = claims
  for (const part of name.split('.')) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, part)) return undefined
    inner = (inner as Record<string, unknown>)[part]
  }
  return inner ?? undefined
}

/** Entra leaves the claim out above 200 groups, and says where it can be asked for instead. */
function isOverage(claims: Claims, claim: string): boolean {
  const names = claims._claim_names
  if (typeof names === 'object' && names !== null && Object.hasOwn(names, claim)) return true
  return claims.hasgroups === true || claims.hasgroups === 'true'
}

/** A text, a list, or the keys of an object; anything else is refused as a whole. */
function groupsIn(value: unknown): Groups {
  const list = typeof value === 'string' ? [value] : value
  const names =
    Array.isArray(list) || typeof list !== 'object' || list === null ? list : Object.keys(list)
  if (!Array.isArray(names) || !names.every(isName)) {
    return { unknown: 'The groups are neither a text, nor a list of texts, nor an object.' }
  }
  if (names.length > GROUPS_MAX) return { unknown: `There are more than ${GROUPS_MAX} groups.` }
  return { names: [...new Set(names)].sort() }
}

function isName(name: unknown): name is string {
  return (
    typeof name === 'string' && name !== '' && name.length <= TEXT_MAX && cleanLine(name) === name
  )
}
