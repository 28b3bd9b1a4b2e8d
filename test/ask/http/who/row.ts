import type { Things } from '../../../support/things.ts'
import type { As } from './world.ts'

/** The callers whose statuses follow from those of others are left out. */
type Special = 'unproven' | 'directory' | 'policy' | 'policyReader'
type Derived = Special | 'auditor' | 'off' | 'removed'
type Statuses = Record<Exclude<As, Derived>, CallerStatus> & Partial<Record<Special, CallerStatus>>

/** `in`: the way to the sign-in page. */
export type CallerStatus = number | 'in'

/** What each caller is told on a route. */
export type Row = {
  /** As the router has it; of `/api/auth/*` each address that is open. */
  route: string
  statuses: Record<As, CallerStatus>
  /** Makes a thing of the home workspace for what the path has a `:name` for; the walks of the pages visit it. */
  thing?: (things: Things) => Promise<string>
  json?: unknown
  form?: Record<string, string>
}

export type More = Omit<Row, 'route' | 'statuses'>

const STRANGERS_TO_REST = {
  nobody: 401,
  agent: 401,
  test: 401,
  elsewhere: 401,
  revoked: 401,
  expired: 401,
} as const

/** Everybody who is signed in; what belongs to a workspace is not there for another's owner. */
export function people(ok: number): Statuses {
  return { ...STRANGERS_TO_REST, member: ok, outsider: ok, owner: ok, stranger: ok }
}
export function ours(ok: number): Statuses {
  return { ...people(ok), stranger: 404 }
}
/** As `ours`, of what a member sees who is in a group of its owner. */
export function seen(ok: number): Statuses {
  return { ...ours(ok), outsider: 404 }
}
/** Owners of their workspace; the other workspace has an owner too. */
export function owners(ok: number): Statuses {
  return { ...people(ok), member: 403, outsider: 403 }
}
/** A thing that owners may touch, or of the owner who may. */
export function ownersOfIt(ok: number): Statuses {
  return { ...ours(ok), member: 403, outsider: 403 }
}
export function agents(ok: number): Statuses {
  return { ...everyone(401), agent: ok, test: ok, elsewhere: ok }
}
export function everyone(status: CallerStatus): Statuses {
  return {
    nobody: status,
    agent: status,
    test: status,
    elsewhere: status,
    revoked: status,
    expired: status,
    member: status,
    outsider: status,
    owner: status,
    stranger: status,
  }
}
/** The same on pages, where whoever is not signed in is shown the way. */
export function page(statuses: Statuses): Statuses {
  const out = { nobody: 'in', agent: 'in', test: 'in', elsewhere: 'in', revoked: 'in' } as const
  return { ...statuses, ...out, expired: 'in' }
}

/** What an auditor may send: how they sign in, and that nobody waits for their page. */
const SENT_BY_READERS =
  /^POST \/(api\/(auth\/|v1\/visible-pages)|settings\/(password|passkeys|sign-ins)|settings\/sign-in\/providers\/:id\/disconnect)/

/** Pages that consist of what their reader sets. */
const FOR_ACTING = new Set(
  [
    ...['notifications', 'undo', 'devices/add', 'devices/this', 'pair', 'telegram'],
    ...['chat-accounts', 'chat-accounts/link/:code'],
  ].map((page) => `GET /settings/${page}`),
)

/** As a member, but for whatever only somebody who takes part may do. */
function auditorStatus(route: string, { member, nobody }: Statuses): CallerStatus {
  if (member === nobody || SENT_BY_READERS.test(route)) return member
  return /^(GET|HEAD|OPTIONS) /.test(route) && !FOR_ACTING.has(route) ? member : 403
}

/** What somebody may do whose sign-in could not be renewed: decline, stop, take back, put off. */
const OF_UNPROVEN =
  /\/(stop|snooze|withdraw|together|visible-pages|revoke-(other-)?sessions|d\/:id\/undo|grants\/:id|allowed\/:id\/revoke)$/

/** As an owner, but for what needs a proven sign-in. */
function unprovenStatus(route: string, { owner, nobody, unproven }: Statuses): CallerStatus {
  if (unproven !== undefined) return unproven
  if (owner === nobody || OF_UNPROVEN.test(route)) return owner
  return /^(GET|HEAD|OPTIONS|ALL) /.test(route) ? owner : 403
}

export function row(route: string, statuses: Statuses, more: More = {}): Row {
  const auditor = auditorStatus(route, statuses)
  const gone = { off: statuses.expired, removed: statuses.expired }
  const unproven = unprovenStatus(route, statuses)
  // Tokens for something else open what a revoked one opens.
  const { revoked, directory = revoked, policy = revoked, policyReader = policy } = statuses
  const all = { ...statuses, auditor, ...gone, unproven, directory, policy, policyReader }
  return { route, statuses: all, ...more }
}
