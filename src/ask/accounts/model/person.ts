import { Failure } from '../../../platform/failure.ts'
import type { PersonId, WorkspaceId } from './ids.ts'

export const ROLES = ['owner', 'member', 'auditor'] as const
/** An auditor reads everything that members read, and answers and changes nothing. */
export type Role = (typeof ROLES)[number]

/** What members see of the questions of others: everything, those of people in a group of theirs, none. */
export const VISIBILITIES = ['workspace', 'group', 'own'] as const
export type Visibility = (typeof VISIBILITIES)[number]
export const DEFAULT_VISIBILITY: Visibility = 'workspace'

/** A signed-in person, in the workspace they look at. */
export type Person = {
  id: PersonId
  name: string
  email: string
  workspaceId: WorkspaceId
  role: Role
  /** Set for a member who does not see everything. */
  sees?: Exclude<Visibility, 'workspace'>
  /**
   * Their sign-in should have been renewed, and its provider cannot be reached: they read, decline
   * and stop, and do nothing else.
   */
  isUnproven?: true
  /** When they signed in; absent where it is not known, as for a phone that scanned a code. */
  signedInAt?: number
}

/** Who looks at a workspace. Without `sees`, everything is seen. */
export type Viewer = Pick<Person, 'workspaceId'> & Partial<Pick<Person, 'id' | 'sees'>>

/** How far a permission goes: everybody's things, one's own, or none. */
type Reach = 'all' | 'own' | 'none'

type Row = Record<Role, Reach> & { to: string }

/**
 * The roles that each action needs. Everything without a row is open to everyone in the workspace:
 * reading, answering, stopping an agent, resuming a session. Pairings and ways to sign in belong to
 * each person alone. Whatever is sent needs `act`, but for those.
 */
const CAPABILITIES = {
  act: { to: 'answer and change anything', owner: 'all', member: 'all', auditor: 'none' },
  people: { to: 'invite, change or remove people', owner: 'all', member: 'none', auditor: 'none' },
  policy: { to: 'change the policy and the rules', owner: 'all', member: 'none', auditor: 'none' },
  callbacks: {
    to: 'see callbacks and their secret',
    owner: 'all',
    member: 'none',
    auditor: 'none',
  },
  health: { to: 'see the health of the server', owner: 'all', member: 'none', auditor: 'none' },
  slack: { to: 'connect Slack', owner: 'all', member: 'none', auditor: 'none' },
  telegram: { to: 'set up the Telegram bot', owner: 'all', member: 'none', auditor: 'none' },
  companySignIn: { to: 'change how people sign in', owner: 'all', member: 'none', auditor: 'none' },
  clients: { to: 'set up clients that sign in', owner: 'all', member: 'none', auditor: 'none' },
  tokens: {
    to: 'see, empty or revoke a token that somebody else made',
    owner: 'all',
    member: 'own',
    auditor: 'none',
  },
  withdrawals: {
    to: 'withdraw what another token asked',
    owner: 'all',
    member: 'none',
    auditor: 'none',
  },
  devices: {
    to: 'test, change or remove somebody else’s device',
    owner: 'all',
    member: 'own',
    auditor: 'none',
  },
} as const satisfies Record<string, Row>

export type Capability = keyof typeof CAPABILITIES

type Who = Pick<Person, 'id' | 'role'>

/**
 * Returns true if `person` has the capability everywhere in the workspace, or for things that
 * belong to `belongsTo`.
 */
export function may(person: Who, capability: Capability, belongsTo?: string | null): boolean {
  const reach = CAPABILITIES[capability][person.role]
  return reach === 'all' || (reach === 'own' && belongsTo === person.id)
}

/** As `may`, but throws `forbidden` and says who can. */
export function must(person: Who, capability: Capability, belongsTo?: string | null): void {
  if (may(person, capability, belongsTo)) return
  if (isAuditor(person)) throw new Failure('forbidden', AUDITORS_READ)
  const { to } = CAPABILITIES[capability]
  throw new Failure('forbidden', `Only an owner of this workspace may ${to}; ask one of them.`)
}

/** True for whoever reads, and neither answers nor changes anything. */
export function isAuditor({ role }: Pick<Person, 'role'>): boolean {
  return role === 'auditor'
}

const AUDITORS_READ =
  'An auditor reads, and answers and changes nothing, so nothing was done. Ask an owner of this workspace.'

/** As `mustBeProven`, for an answer: anybody who is signed in may decline. */
export function mustBeProvenFor(
  value: string | string[],
  person: Pick<Person, 'isUnproven'>,
): void {
  if (value !== 'no') mustBeProven(person)
}

/** Throws `forbidden` for somebody whose sign-in could not be renewed. */
export function mustBeProven({ isUnproven }: Pick<Person, 'isUnproven'>): void {
  if (!isUnproven) return
  throw new Failure(
    'forbidden',
    'Your sign-in is too old, and the provider that renews it cannot be reached. Until it can, you may read, decline and stop; nothing was changed.',
  )
}
