import { Failure } from '../../../platform/failure.ts'
import type { Person, Role } from './person.ts'

/** How far somebody reaches: to everybody's, to their own, or not at all. */
type Reach = 'all' | 'own' | 'none'

type Row = Record<Role, Reach> & { to: string }

/**
 * Who may do what. Whatever has no row is for everyone in the workspace: to read, to answer, to
 * stop an agent, to resume a session. A pairing and a way to sign in are each person's own.
 */
const CAPABILITIES = {
  people: { to: 'change who is an owner', owner: 'all', member: 'none' },
  policy: { to: 'change the policy and the rules', owner: 'all', member: 'none' },
  callbacks: { to: 'see callbacks and their secret', owner: 'all', member: 'none' },
  health: { to: 'see the health of the server', owner: 'all', member: 'none' },
  slack: { to: 'connect Slack', owner: 'all', member: 'none' },
  tokens: {
    to: 'see, empty or revoke a token that somebody else made',
    owner: 'all',
    member: 'own',
  },
  withdrawals: { to: 'withdraw what another token asked', owner: 'all', member: 'none' },
  devices: { to: 'test, change or remove somebody else’s device', owner: 'all', member: 'own' },
} as const satisfies Record<string, Row>

export type Capability = keyof typeof CAPABILITIES

type Who = Pick<Person, 'id' | 'role'>

/** Whether `person` may, everywhere in the workspace; or with what belongs to `belongsTo`. */
export function may(person: Who, capability: Capability, belongsTo?: string | null): boolean {
  const reach = CAPABILITIES[capability][person.role]
  return reach === 'all' || (reach === 'own' && belongsTo === person.id)
}

/** As `may`. Throws `forbidden`, and says who can. */
export function must(person: Who, capability: Capability, belongsTo?: string | null): void {
  if (may(person, capability, belongsTo)) return
  const { to } = CAPABILITIES[capability]
  throw new Failure('forbidden', `Only an owner of this workspace may ${to}; ask one of them.`)
}
