import type { Run, Shell } from './call.ts'
import { saidBy } from './fed.ts'
import { type Arg, argOf, type Notes, type Places } from './notes.ts'
import type { Redirect, Token, Word } from './token.ts'
import {
  expandWordBraces,
  fill,
  HOLE,
  OPEN,
  OPEN_QUOTED,
  PATTERN,
  quote,
  withoutQuotes,
} from './word-text.ts'

const WRITTEN_MAX = 50

/** `a=b`; the value is undefined if it is not known. */
export type ShellAssignment = { name: string; arg: Arg; value: string | undefined }

/** The state of a walk over tokens, and what the shell turns their words into. */
export abstract class Words {
  protected at = 0

  protected readonly tokens: readonly Token[]
  protected places: Places
  /** The output that earlier commands of this pipeline pass on. */
  protected said: string[] = []
  protected readonly shell: Shell
  protected readonly run: Run

  constructor(tokens: readonly Token[], places: Places, shell: Shell, run: Run) {
    this.tokens = tokens
    this.places = places
    this.shell = shell
    this.run = run
  }

  protected get notes(): Notes {
    return this.shell.notes
  }

  protected op(): string | undefined {
    const token = this.tokens[this.at]
    return token?.is === 'op' ? token.op : undefined
  }

  protected name(): string | undefined {
    const token = this.tokens[this.at]
    return token?.is === 'word' && !token.quoted ? token.raw : undefined
  }

  /** Text that the command writes to a file may be run later in the same command. */
  protected write(args: readonly Arg[], redirects: readonly Redirect[], places: Places) {
    const targets = redirects.filter(({ op }) => op === '>' || op === '>>' || op === '>|')
    if (targets.length === 0) return
    const text = saidBy(args, redirects).join('\n')
    for (const { target } of text === '' ? [] : targets)
      for (const path of this.notes.joined(argOf(target.raw, target.why), places))
        if (this.notes.written.size < WRITTEN_MAX) this.notes.written.set(path, text)
  }

  protected expand(word: Word, places: Places, globs = true): Arg[] {
    this.guess(word, places)
    const { raws, why = word.why } = this.fill(word.raw)
    return raws.flatMap((one) => {
      const raw = this.notes.settled(one, places)
      const spelled = raw.includes('{') ? expandWordBraces(raw) : [raw]
      if (spelled === undefined) return [argOf(raw, 'a list in braces')]
      const args = spelled.map((text) => argOf(text, why))
      return globs ? args.flatMap((arg) => this.notes.expanded(arg, places)) : args
    })
  }

  /** Notes what a word becomes where `${x:-text}` gives its text. */
  private guess(word: Word, places: Places) {
    const { instead } = word
    if (instead === undefined) return
    const lookUp = (name: string): string | undefined => {
      const inner = instead[name]
      if (inner === undefined) return this.shell.variables.get(name)
      return withoutQuotes(fill(inner, lookUp).raws.join(' '))
    }
    for (const one of fill(word.raw, lookUp).raws) {
      const raw = this.notes.settled(one, places)
      for (const spelled of expandWordBraces(raw) ?? [raw])
        for (const arg of this.notes.expanded(argOf(spelled, undefined), places))
          this.notes.literal(arg, places)
    }
  }

  protected fill(raw: string) {
    return fill(raw, (name) => this.shell.variables.get(name))
  }

  /** A redirection whose word is literal; a word that becomes several goes nowhere. */
  protected filled(token: Redirect): Redirect {
    this.guess(token.target, this.places)
    const { raws, why } = this.fill(token.target.raw)
    const [raw = '', more] = raws
    if (raw === token.target.raw) return token
    const unknown = more === undefined ? (why ?? token.target.why) : 'several words'
    const target: Word = { ...token.target, raw: more === undefined ? raw : HOLE }
    if (unknown !== undefined) target.why = unknown
    return { ...token, target }
  }

  /** `a=b` before a command, or alone: it is not expanded as a pattern or as braces. */
  protected assignment(word: Word, places: Places): ShellAssignment | undefined {
    const found = /^([A-Za-z_]\w*)(\+?)=/.exec(word.raw)
    if (!found) return undefined
    this.guess(word, places)
    const [begin, name = '', adds] = found
    const { variables } = this.shell
    // The assigned value is one word, as if it were quoted.
    const whole = word.raw.replaceAll(OPEN, OPEN_QUOTED)
    const { raws, why = word.why } = this.fill(whole)
    const raw = this.notes.settled(raws[0] ?? whole, places)
    const before = adds === '' ? '' : variables.get(name)
    const value = raw.slice(begin.length)
    const known = why === undefined && before !== undefined && !/[\uE080-\uE082]/.test(value)
    // A pattern in it is expanded to the names it may match.
    for (const arg of value.includes('{') ? [] : this.notes.expanded(argOf(raw, why), places))
      this.notes.literal(arg, places)
    return {
      name,
      arg: argOf(raw, why),
      value: known ? quote(before) + value : undefined,
    }
  }

  protected redirect({ op, target }: Redirect, places: Places) {
    if (op.startsWith('<<')) return
    const arg = argOf(this.notes.settled(target.raw, places), target.why)
    if (arg.text === '' && arg.why === undefined) this.notes.opaque('a redirection goes nowhere')
    const all = this.expand(target, places)
    for (const one of [arg, ...all]) this.notes.literal(one, places)
    if (op === '<' || op === '<&' || (op === '>&' && /^(\d+-?|-)$/.test(arg.text))) return
    if (all.length !== 1) this.notes.opaque('a redirection goes to several files')
    for (const one of all.length === 1 || arg.why === PATTERN ? all : [])
      this.notes.target(one, 'write', places)
  }

  protected close(op: string) {
    if (this.op() === op) this.at++
    else this.notes.opaque('it is not a complete command')
  }

  protected closeWord(name: string) {
    if (this.name() === name) this.at++
    else this.notes.opaque('it is not a complete command')
  }
}
