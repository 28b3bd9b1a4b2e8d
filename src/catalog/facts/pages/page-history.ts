import { type Static, Type } from '@sinclair/typebox'
import { closed } from '../../records/words.ts'

const Print = Type.String({ maxLength: 128 })

/** The history of a page; an empty fingerprint stands for none. */
export const PageHistory = closed({
  /** The fingerprint that two fetches agreed on. */
  settled: Print,
  /** Earlier fingerprints, newest first. */
  before: Type.Array(Print, { maxItems: 8 }),
  /** A fingerprint that one fetch found and none has confirmed. */
  candidate: Print,
  /** How often in a row a candidate was not confirmed. */
  odd: Type.Integer({ minimum: 0 }),
  /** How often in a row it was the same since it became unstable. */
  calm: Type.Integer({ minimum: 0 }),
  /** True if every fetch differs. */
  unstable: Type.Boolean(),
  /** The last day on which the settled fingerprint was seen. */
  sameOn: Type.String({ maxLength: 10 }),
})
export type PageHistory = Static<typeof PageHistory>

export const UNSEEN: PageHistory = {
  settled: '',
  before: [],
  candidate: '',
  odd: 0,
  calm: 0,
  unstable: false,
  sameOn: '',
}

const BEFORE_MAX = 8
const ODD_MAX = 3
const CALM_ENOUGH = 6

export type PageChange = { history: PageHistory; changed: boolean }

/**
 * Adds one fetch. A page has changed when two fetches in a row agree on a new fingerprint, so that
 * one that alternates between two texts changes once. After three unconfirmed fetches it is
 * unstable, and changes again only after six in a row agree.
 */
export function addFetch(history: PageHistory, print: string, day: string): PageChange {
  const { settled, before, candidate } = history
  const isFamiliar = print === settled || before.includes(print)
  if (history.unstable) return { history: calmed(history, print, day), changed: false }
  if (isFamiliar) return unchanged({ ...history, candidate: '', odd: 0, sameOn: day })
  if (print !== candidate) {
    const odd = history.odd + (candidate === '' ? 0 : 1)
    return unchanged({ ...history, candidate: print, odd, unstable: odd >= ODD_MAX, calm: 0 })
  }
  const next = { ...history, settled: print, candidate: '', odd: 0, sameOn: day }
  if (settled === '') return unchanged(next)
  return { history: { ...next, before: [settled, ...before].slice(0, BEFORE_MAX) }, changed: true }
}

function unchanged(history: PageHistory): PageChange {
  return { history, changed: false }
}

function calmed(history: PageHistory, print: string, day: string): PageHistory {
  if (print !== history.candidate) return { ...history, candidate: print, calm: 0 }
  const calm = history.calm + 1
  if (calm < CALM_ENOUGH - 1) return { ...history, calm }
  const before = [history.settled, ...history.before].filter((it) => it !== '' && it !== print)
  return { ...UNSEEN, settled: print, before: before.slice(0, BEFORE_MAX), sameOn: day }
}
