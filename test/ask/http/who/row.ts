import type { Things } from '../../../support/things.ts'
import type { As } from './world.ts'

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
export function people(ok: number): Row['statuses'] {
  return { ...STRANGERS_TO_REST, member: ok, outsider: ok, owner: ok, stranger: ok }
}
export function ours(ok: number): Row['statuses'] {
  return { ...people(ok), stranger: 404 }
}
/** As `ours`, of what a member sees who is in a group of its owner. */
export function seen(ok: number): Row['statuses'] {
  return { ...ours(ok), outsider: 404 }
}
/** Owners of their workspace; the other workspace has an owner too. */
export function owners(ok: number): Row['statuses'] {
  return { ...people(ok), member: 403, outsider: 403 }
}
/** A thing that owners may touch, or of the owner who may. */
export function ownersOfIt(ok: number): Row['statuses'] {
  return { ...ours(ok), member: 403, outsider: 403 }
}
export function agents(ok: number): Row['statuses'] {
  return { ...everyone(401), agent: ok, test: ok, elsewhere: ok }
}
export function everyone(status: CallerStatus): Row['statuses'] {
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
export function page(statuses: Row['statuses']): Row['statuses'] {
  const out = { nobody: 'in', agent: 'in', test: 'in', elsewhere: 'in', revoked: 'in' } as const
  return { ...statuses, ...out, expired: 'in' }
}

export function row(route: string, statuses: Row['statuses'], more: More = {}): Row {
  return { route, statuses, ...more }
}
