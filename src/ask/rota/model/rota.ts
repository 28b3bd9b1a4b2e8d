import type { Id } from '../../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'

export type RotaId = Id<'rota'>
export type OverrideId = Id<'ovr'>

/** Who set up a rota: an owner on the pages, or the policy file. */
export type RotaSource = 'hand' | 'file'

/** Says who is on call, by time: in turns that are set here, or as a calendar elsewhere has it. */
export type Rota = {
  id: RotaId
  workspaceId: WorkspaceId
  /** Unique in the workspace; `oncall:NAME` names it. */
  name: string
  source: RotaSource
  /** The time zone of handovers, and of events that have none. */
  zone: string
  /** Undefined if a calendar says who is on call. */
  schedule: Schedule | undefined
  createdAt: number
}

/** People take turns of some days each, from a date on. A turn begins at a time of the clock on the wall. */
export type Schedule = {
  /** `2026-10-19`, the date of the first handover. */
  startsOn: string
  /** `09:00` */
  at: string
  everyDays: number
  /** In the order of their turns. Somebody who was removed stays: their turns are holes. */
  people: PersonId[]
}

/**
 * For a time, somebody takes over whoever's turn it is, or is away, so that the next in the order has
 * their turns. `to` is the first moment after it.
 */
export type Override = {
  id: OverrideId
  rotaId: RotaId
  personId: PersonId
  kind: 'takes' | 'away'
  from: number
  to: number
  createdAt: number
}

/** An event of a calendar, with the addresses and the text that may say whose time it is. */
export type FeedShift = {
  from: number
  to: number
  attendees: string[]
  organizer: string
  summary: string
}

/** A calendar that says who is on call, and what was read from it last. */
export type RotaFeed = {
  rotaId: RotaId
  /** It may hold a secret, so it is shown nowhere but for its host. */
  url: string
  etag: string | undefined
  /** When it was last read; undefined if that never succeeded. */
  readAt: number | undefined
  /** When it was last tried. */
  triedAt: number | undefined
  /** Why the last try failed. */
  problem: string | undefined
  shifts: FeedShift[]
}
