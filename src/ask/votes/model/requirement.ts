import type { PersonId } from '../../accounts/model/ids.ts'
import type { GroupId } from '../../groups/model/group.ts'
import type { Target } from './target.ts'

/** A group or a person that a rule names, with the name that it had when the question was asked. */
export type Named = { id: GroupId | PersonId; name: string }

/** What proves a yes besides being signed in, the weaker first. */
export const FRESH = ['sign_in', 'passkey'] as const
export type Fresh = (typeof FRESH)[number]

/** So many different people out of these. */
export type Places = { from: Named[]; need: number }

/**
 * Who has to agree before a question is answered: all that its approver rules ask for, copied into
 * it when it was asked. A later change of a rule does not reach it; one of a group does.
 */
export type Requirement = {
  /** The rules that ask for it. */
  rules: Array<{ id: string; words: string }>
  /** All of these have to be filled, each place by somebody else. */
  places: Places[]
  /** Whose agent asks: they neither approve nor decline. */
  excluded: PersonId[]
  /** Whose no ends it: that of anybody who may approve, or of these alone. */
  veto: 'any' | Named[]
  /** Where a yes may be given; everywhere that proves the person, if it is missing. */
  where?: VotePlace[]
  /** How long a yes may be used, in milliseconds. */
  usableMs: number
  /** What a yes needs besides being signed in; a no needs nothing more. */
  fresh?: Fresh
  /** Who is notified, as the rules name them; everybody who may decide, if it is missing. */
  tell?: Target[]
  /** Who is notified as well while nobody has decided, and how long after the question. */
  escalate?: Array<{ afterMs: number; tell: Target[] }>
  /** Quiet hours of people do not keep it from them. */
  urgent?: true
}

/** In place of a rule: it is a change of who may decide. */
export const PROTECT = 'protect'

/** Where people prove who they are: on a page, signed in, or in a chat, by a linked account. */
export const VOTE_PLACES = ['page', 'chat'] as const
export type VotePlace = (typeof VOTE_PLACES)[number]

/** Returns true if a yes counts that is given there. */
export function takesYes({ where, fresh }: Requirement, place: VotePlace): boolean {
  // Only a page takes a sign-in or a passkey.
  return fresh !== undefined ? place === 'page' : (where?.includes(place) ?? true)
}

/** Returns true if the same people have to agree in the same way, whichever rules say so. */
export function isSameDemand(
  one: Requirement | undefined,
  other: Requirement | undefined,
): boolean {
  return JSON.stringify(demandOf(one)) === JSON.stringify(demandOf(other))
}

function demandOf(requirement: Requirement | undefined) {
  if (!requirement) return undefined
  const { places, excluded, veto, where, fresh } = requirement
  const all = places.map(({ from, need }) => JSON.stringify([idsOf(from), need]))
  const whoVetoes = veto === 'any' ? veto : idsOf(veto)
  return [all.sort(), [...excluded].sort(), whoVetoes, where && [...where].sort(), fresh]
}

function idsOf(all: readonly Named[]): string[] {
  return all.map(({ id }) => id).sort()
}

/** How many people have to agree. */
export function needOf({ places }: Pick<Requirement, 'places'>): number {
  return places.reduce((sum, { need }) => sum + need, 0)
}

/** A rule may name twenty groups and people; nobody reads as many in a sentence. */
export const NAMES_SHOWN = 4

/** Words who has to agree: `2 of engineers and 1 of managers`; with at most so many names each. */
export function placesWords(places: readonly Places[], most = Number.POSITIVE_INFINITY): string {
  return places.map(({ from, need }) => `${need} of ${namesWords(from, most)}`).join(' and ')
}

export function namesWords(from: readonly Named[], most = Number.POSITIVE_INFINITY): string {
  const more = from.length - most
  const names = from.slice(0, most).map(({ name }) => name)
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(' or ')
}

export function isGroupId(id: string): id is GroupId {
  return id.startsWith('group_')
}
