import type { WorkspaceId } from '../../accounts/model/ids.ts'

/** How this server proves itself at the provider: two standard ways, or not at all. */
export const CLIENT_AUTHS = ['basic', 'post', 'none'] as const
type ClientAuth = (typeof CLIENT_AUTHS)[number]

/** What owners set for a provider. */
export type ProviderSettings = {
  /** For people: "Acme". */
  name: string
  /** As its tokens have it, byte for byte. */
  issuer: string
  clientId: string
  clientAuth: ClientAuth
  /** What is asked for besides `openid email profile`. */
  scopes: string[]
  /** The name of the claim with the groups, or its path; empty: groups are not read. */
  groupsClaim: string
  /** The claim with what a directory calls a person’s `externalId`; empty: addresses alone say who it is. */
  directoryClaim?: string
  /** The domains of addresses that may join or be linked. */
  domains: string[]
  /** Whoever is in none of these is refused; empty: everybody may come. */
  requiredGroups: string[]
  /** Whoever is in one of these is an owner, and everybody else a member; empty: owners set roles. */
  ownerGroups: string[]
  /** Groups of the provider that are groups here: `engineers`, or `ID=engineers`. */
  groups: string[]
  /** People whom nobody invited become members at their first sign-in. */
  joins: boolean
  /** A person here is linked to an account with the same address, once they have proven themselves. */
  links: boolean
  /** How long a sign-in holds. */
  hours: number
}

/** A provider that signs people in. */
export type Provider = ProviderSettings & {
  /** In its addresses; a name that owners chose, in small letters. */
  id: string
  workspaceId: WorkspaceId
  secret: string | null
  /** It is set in the environment, so that pages only show it. */
  isFixed: boolean
}

export const HOURS = { least: 1, most: 168, usual: 12 } as const
/** How long a sign-in that is over goes on while the provider cannot be reached. */
export const GRACE_MS = 24 * 3_600_000
export const HOUR_MS = 3_600_000

const SLUG_MAX = 40

/** The id of a provider with this name: `Acme GmbH` is `acme-gmbh`; empty if nothing is left. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase()
  const parts = plain.match(/[a-z0-9]+/g) ?? []
  return parts.join('-').slice(0, SLUG_MAX).replace(/-$/, '')
}

/** Where a provider sends people back to; each provider has its own. */
export function redirectOf(baseUrl: string, { id }: Pick<Provider, 'id'>): string {
  return `${baseUrl}/sign-in/back/${id}`
}

/** True if the domain is among those of the provider. */
export function hasDomain({ domains }: Pick<Provider, 'domains'>, domain: string | null): boolean {
  return domain !== null && domains.includes(domain)
}
