import type { Things } from '../../../support/things.ts'
import type { As } from './world.ts'

/** `in`: the way to the sign-in page. */
export type Told = number | 'in'

/** What each caller is told on a route. */
export type Row = {
  /** As the router has it; of `/api/auth/*` each address that is open. */
  route: string
  told: Record<As, Told>
  /** Makes a thing of the home workspace for what the path has a `:name` for; the walks of the pages visit it. */
  thing?: (things: Things) => Promise<string>
  json?: unknown
  form?: Record<string, string>
}

export type More = Omit<Row, 'route' | 'told'>

const STRANGERS_TO_REST = {
  nobody: 401,
  agent: 401,
  test: 401,
  elsewhere: 401,
  revoked: 401,
  expired: 401,
} as const

/** Everybody who is signed in; what belongs to a workspace is not there for another's owner. */
export function people(ok: number): Row['told'] {
  return { ...STRANGERS_TO_REST, member: ok, owner: ok, stranger: ok }
}
export function ours(ok: number): Row['told'] {
  return { ...people(ok), stranger: 404 }
}
/** Owners of their workspace; the other workspace has an owner too. */
export function owners(ok: number): Row['told'] {
  return { ...people(ok), member: 403 }
}
/** A thing that owners may touch, or of the owner who may. */
export function ownersOfIt(ok: number): Row['told'] {
  return { ...ours(ok), member: 403 }
}
export function agents(ok: number): Row['told'] {
  return { ...everyone(401), agent: ok, test: ok, elsewhere: ok }
}
export function everyone(told: Told): Row['told'] {
  return {
    nobody: told,
    agent: told,
    test: told,
    elsewhere: told,
    revoked: told,
    expired: told,
    member: told,
    owner: told,
    stranger: told,
  }
}
/** The same on pages, where whoever is not signed in is shown the way. */
export function page(told: Row['told']): Row['told'] {
  const out = { nobody: 'in', agent: 'in', test: 'in', elsewhere: 'in', revoked: 'in' } as const
  return { ...told, ...out, expired: 'in' }
}

export function row(route: string, told: Row['told'], more: More = {}): Row {
  return { route, told, ...more }
}
