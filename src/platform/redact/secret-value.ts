import { PUT_IN } from './bar.ts'

/** Placeholders in a secret's position: a variable, a template, a blank to fill in, a redaction. */
export function isPlaceholder(text: string): boolean {
  const value = text.replaceAll(PUT_IN, '')
  const isGlued = value !== text
  if (isGlued && (!/[A-Za-z0-9]/.test(value) || /\s/.test(value))) return true
  return (
    PLACEHOLDER.test(value) || EXAMPLE.test(value) || NO_VALUE.test(value) || STAND_IN.test(value)
  )
}

const PLACEHOLDER =
  /^(?:▇|\$[A-Za-z_{(]|\$\$?$|%[A-Za-z_]\w*%|%[sdv]$|[{<[(@\\]|\*+$|x{3,}$|\.{2,}|…|-+$|#\{)/i
const EXAMPLE =
  /^your[-_ ]|^(?:my|some|the|an?)[-_ ].*(?:key|token|pass|secret|value)|[-_ ](?:here|placeholder)$/i
// Words that people write in place of a secret. Only these, and only whole: `test1` may be a password.
const STAND_IN =
  /^(?:test|testing|secret|password|passwd|change-?_?me|example|sample|dummy|fake|todo|foobar)$/i
const NO_VALUE =
  /^(?:null|none|nil|undefined|true|false|yes|no|on|off|required|optional|string|str|text|number|int|bool|boolean|bytes|any|unknown|never|void|object|redacted)\W*$/i

/**
 * Random enough to be a key rather than a word: long, with letters and digits, or with both cases.
 */
export function looksRandom(value: string): boolean {
  const word = /^[\w.~+/=:-]+/.exec(value.replaceAll(PUT_IN, ''))?.[0] ?? ''
  if (word.length < 6) return false
  const mixed = /\d/.test(word) && /[A-Za-z]/.test(word)
  return mixed || word.length >= 24 || (word.length >= 8 && /[a-z][A-Z].*[a-z]?[A-Z]/.test(word))
}

/** `name = value` as found in a text. */
export type Assignment = {
  name: string
  /** The text between name and value, including the opening quote. */
  is: string
  value: string
  /** The character before the name. */
  before: string
  /** Nothing of the same statement follows. */
  ends: boolean
}

/**
 * Returns true if an assignment's value is the secret itself, rather than code or a word about it.
 */
export function isWrittenOut(assignment: Assignment): boolean {
  const { name, is, value } = assignment
  if (isPlaceholder(value)) return false
  const password = /^(?:pass|pwd|pw)/i.test(name)
  if (/["'`]$/.test(is)) return isWrittenQuote(value, is, password)
  if (CALL.test(value)) return false
  if (is === '=') return isWrittenBare(assignment, password)
  return isWrittenStrictly(assignment, password)
}

const CALL = /^[\w$.?!:>-]+[([{]/
const TEMPLATE = /\$\{|\{\{|%[sd]|^\{\w*\}$/
const IDENTIFIERS =
  /^[A-Za-z_$][A-Za-z_$]*\d?(?:(?:\.|\?\.|::|->)[A-Za-z_$][A-Za-z_$]*\d?)*[,;)\]}]*$/
const LABEL = /^\p{Lu}?\p{Ll}+$/u

function isWrittenQuote(value: string, is: string, password: boolean): boolean {
  if (TEMPLATE.test(value)) return false
  if (/\s/.test(value)) return password && /^=\\?["'`]$/.test(is) && value.length >= 8
  if (!password) return value.length >= 8 && isMixed(value)
  return value.length >= 4 && !(LABEL.test(value) && /^\p{Lu}|pass/u.test(value))
}

/** `NAME=value` without spaces: an environment, a query, a shell, or an argument in code. */
function isWrittenBare({ name, value, before, ends }: Assignment, password: boolean): boolean {
  if (/^[A-Z_-]+$/.test(name)) {
    return value.length >= 4 && (password || !/^\d+$/.test(value)) && !/^\w+\.\w+\(/.test(value)
  }
  if (/[?&;]/.test(before)) return value.length >= 6
  if (value.includes(PUT_IN)) return GLUED.test(value)
  if (IDENTIFIERS.test(value)) {
    return password && ends && value.length >= 6 && /^\w+$/.test(value) && !/pass/i.test(value)
  }
  return value.length >= 6 && (password || isMixed(value))
}

// Beside an expansion; what follows a `/` or a `,` is a path or another value.
const GLUED = /^[^/,]*[A-Za-z0-9]{3}/

/** `name: value`, or with spaces: this may be code or prose as well as a settings file. */
function isWrittenStrictly({ value, ends }: Assignment, password: boolean): boolean {
  if (!ends || /[,;(){}[\]<>|]/.test(value)) {
    const own = value.replace(/[,;]$/, '')
    if (!/^[\w+/=.~-]+$/.test(own) || !isMixed(own)) return false
    return own.length >= 16 || (own.length >= 8 && SCRAMBLED.test(own))
  }
  if (password) return value.length >= 6 && /[\d!@#$%^&*+=~]/.test(value) && /[A-Za-z]/.test(value)
  return value.length >= 8 && isMixed(value) && !/^(?:[A-Z][a-z]+\d{0,3}){2,}$/.test(value)
}

// Digits in two places: `Sha256` and `utf16le` are names.
const SCRAMBLED = /\d[A-Za-z]+\d/

/** Letters with at least two digits. */
function isMixed(value: string): boolean {
  const digits = value.replace(/\D/g, '').length
  return /[A-Za-z]/.test(value) && digits >= 2
}
