import { homedir } from 'node:os'
import type { Arg } from './notes.ts'
import { HOLE, withoutQuotes } from './word-text.ts'

type Values = ReadonlyMap<string, string>

const NAMES_MAX = 64
const VALUE_MAX = 8192

/**
 * The values of a shell's variables, as far as the command itself sets them. An unknown variable
 * has no value, because what it was before the command is not known either.
 */
export class Variables {
  private values: Values
  private follows: boolean

  constructor(values: Values = new Map(), follows = true) {
    this.values = values
    this.follows = follows
  }

  /** For a subshell, which begins with the same values. */
  copy(): Variables {
    return new Variables(this.values, this.follows)
  }

  get(name: string): string | undefined {
    return this.follows ? this.values.get(name) : undefined
  }

  /** `raw` is the value as a word, before splitting; undefined if it is not known. */
  set(name: string, raw: string | undefined): void {
    const value = raw === undefined ? undefined : textOf(raw)
    // It changes how every other value is split.
    if (name === 'IFS') this.stop()
    if (value === undefined && !this.values.has(name)) return
    const values = new Map(this.values)
    if (value === undefined) values.delete(name)
    else values.set(name, value)
    this.values = values
    if (values.size > NAMES_MAX) this.stop()
  }

  /** Nothing is known of any variable from here on. */
  stop(): void {
    this.follows = false
    this.values = new Map()
  }

  forget(): void {
    this.values = new Map()
  }

  /** Their present values, for `restore` and `merge`. */
  now(): Values {
    return this.values
  }

  restore(values: Values): void {
    this.values = values
  }

  /** Either branch may have run: only values on which both agree are known. */
  merge(other: Values): void {
    if (this.values === other) return
    const same = [...this.values].filter(([name, value]) => other.get(name) === value)
    this.values = new Map(same)
  }

  /** The variables whose value has changed since. */
  changedSince(before: Values): string[] {
    if (this.values === before) return []
    const names = new Set([...this.values.keys(), ...before.keys()])
    return [...names].filter((name) => this.values.get(name) !== before.get(name))
  }
}

/** Undefined if the shell changes the value in a way that is not known here. */
function textOf(raw: string): string | undefined {
  if (raw.includes(HOLE) || raw.length > VALUE_MAX) return undefined
  if (/^~(\/|$)/.test(raw)) return homedir() + withoutQuotes(raw.slice(1))
  return /(^|:)~/.test(raw) ? undefined : withoutQuotes(raw)
}

export const SETS =
  /^(export|declare|typeset|local|readonly|unset|read|mapfile|readarray|getopts|printf|vared)$/

/** `export a=b` sets a known value; the values that the other commands set are not known. */
export function setVariables(name: string, args: readonly Arg[], variables: Variables) {
  const keeps = /^(export|declare|typeset|local|readonly)$/.test(name)
  const plainly = keeps && !args.some(({ text }) => /^-[^xrg]/.test(text))
  for (const { raw, text, why } of args) {
    const [, variable = '', adds, value] = /^([A-Za-z_]\w*)(?:(\+?)=(.*))?$/s.exec(raw) ?? []
    if (variable === '') {
      if (why !== undefined && !text.startsWith('-')) variables.forget()
    } else if (value !== undefined || !keeps)
      variables.set(variable, plainly && adds === '' && why === undefined ? value : undefined)
  }
}
