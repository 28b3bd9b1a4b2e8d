import type { Word } from '../../ask/wire/reading/reading.ts'

/**
 * A word of a command as the name of a file: absolute, from `~`, or seen from where the command
 * runs. `why` says why it is not known; `text` is then its source, or the pattern.
 */
export type Operand = {
  text: string
  why?: string
  isPattern?: true
  /** Where it is not known: it begins so. */
  prefix?: string
}

/** The folders that a command may run in, absolute or from `~`. `ANYWHERE` stands for any. */
export type Places = readonly string[]
export const ANYWHERE = '\0'

const PLACES_MAX = 8

/** Resolves a word to a path; `start` is the folder that the call begins in. */
export function operandOf({ text, sure, base, prefix = '' }: Word, start: string): Operand {
  const root = base === 'home' ? '~' : base === 'here' ? start : undefined
  if (sure === 'names') {
    return {
      text: root === undefined ? text : root + text,
      why: 'a pattern',
      isPattern: true,
      prefix,
    }
  }
  if (sure !== 'text') return { text, why: 'a part of it is not known', prefix }
  if (root !== undefined) return { text: root + text }
  // A quoted `~` is a name like others.
  return { text: text.startsWith('~') ? `./${text}` : text }
}

/** The folders of a reading, seen from where the call begins, as absolute ones. */
export function placesOf(places: readonly string[] | undefined, start: string): Places {
  if (places === undefined) return [ANYWHERE]
  if (places.length === 0) return [start]
  return places.map((place) => join(start, place))
}

/** Absolute, or in the home folder. */
export function isRooted(text: string): boolean {
  return text.startsWith('/') || /^~(\/|$)/.test(text) || /^[A-Za-z]:[\\/]/.test(text)
}

export function join(place: string, text: string): string {
  if (isRooted(text)) return text
  const tidy = text.replace(/^(\.\/+)+/, '')
  if (tidy === '' || tidy === '.') return place
  return place.endsWith('/') ? `${place}${tidy}` : `${place}/${tidy}`
}

/** The paths that a text may stand for, where the folders are known. */
export function joinAll(text: string, places: Places): string[] {
  if (isRooted(text)) return [text]
  return places.filter((place) => place !== ANYWHERE).map((place) => join(place, text))
}

/** The folders after a change to a folder. */
export function enter({ text, why }: Operand, places: Places): Places {
  if (why !== undefined) return [ANYWHERE]
  if (isRooted(text)) return [text]
  const next = places.map((place) => (place === ANYWHERE ? ANYWHERE : join(place, text)))
  return next.length > PLACES_MAX ? [ANYWHERE] : next
}

export function baseName(path: string): string {
  return /([^/]*)\/*$/.exec(path)?.[1] ?? ''
}
