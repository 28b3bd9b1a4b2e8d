import type { SyntaxNode } from './parse.ts'
import type { Word } from './reading.ts'

/** The known part of a shell variable. */
export type Value =
  | { sure: 'text'; text: string; base?: 'home' | 'here' }
  | { sure: 'number' }
  | { sure: 'names'; text: string; places: string }
  | { sure: 'part' }

export const UNKNOWN: Value = { sure: 'part' }

/** The state of a shell at one point of a text: variables, functions, arguments, its folder. */
export class ShellState {
  readonly vars = new Map<string, Value>()
  /** `undefined` as a value: there may be such a function, and which is not known. */
  readonly functions = new Map<string, SyntaxNode | undefined>()
  /** `$1`, `$2` …; undefined: not known. */
  arguments: Word[] | undefined
  /** Only there `local` assigns. */
  isFunction = false
  /** The folders that the shell may be in, seen from where it began; undefined: any. */
  places: string[] | undefined = ['']

  copy(): ShellState {
    const copy = new ShellState()
    for (const [name, value] of this.vars) copy.vars.set(name, value)
    for (const [name, body] of this.functions) copy.functions.set(name, body)
    copy.arguments = this.arguments
    copy.places = this.places
    copy.isFunction = this.isFunction
    return copy
  }

  /** Keeps what is so in this state and in another, as after one of two branches. */
  join(other: ShellState): void {
    for (const name of new Set([...this.vars.keys(), ...other.vars.keys()])) {
      if (!isSame(this.vars.get(name), other.vars.get(name))) this.vars.set(name, UNKNOWN)
    }
    for (const name of new Set([...this.functions.keys(), ...other.functions.keys()])) {
      if (this.functions.get(name) !== other.functions.get(name)) {
        this.functions.set(name, undefined)
      }
    }
    if (this.arguments !== other.arguments) this.arguments = undefined
    this.joinPlaces(other)
  }

  joinPlaces(other: Pick<ShellState, 'places'>): void {
    this.places = bothPlaces(this.places, other.places)
  }

  /** Forgets what a part of the text may change, without saying when. */
  forget({ names, functions, everything }: Changes): void {
    if (everything) {
      for (const name of this.vars.keys()) this.vars.set(name, UNKNOWN)
      for (const name of this.functions.keys()) this.functions.set(name, undefined)
      this.arguments = undefined
    }
    for (const [name, kind] of names) {
      const isNumber = kind === 'number' && this.isNumber(name)
      this.vars.set(name, isNumber ? { sure: 'number' } : UNKNOWN)
    }
    for (const name of functions) this.functions.set(name, undefined)
  }

  /** Returns true if arithmetic that names the variable can only meet a number. */
  isNumber(name: string): boolean {
    const value = this.vars.get(name)
    return value?.sure === 'number' || (value?.sure === 'text' && /^\d{1,15}$/.test(value.text))
  }
}

/** Assigns to a variable what is known of a word. */
export function setVariable(name: string, word: Word | undefined, state: ShellState): void {
  if (word?.sure === 'text') {
    const base = word.base ? { base: word.base } : {}
    state.vars.set(name, { sure: 'text', text: word.text, ...base })
  } else if (word?.sure === 'number') state.vars.set(name, { sure: 'number' })
  else state.vars.set(name, UNKNOWN)
}

/** The variables and functions that a part of a text may assign or define. */
export type Changes = {
  names: Map<string, 'number' | 'part'>
  functions: Set<string>
  /** True if it runs text of its own, so it may change anything. */
  everything: boolean
}

const PLACES_MAX = 4

function bothPlaces(one: string[] | undefined, other: string[] | undefined) {
  if (!one || !other) return undefined
  const places = [...new Set([...one, ...other])]
  return places.length > PLACES_MAX ? undefined : places
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other))
}
