import type { Outcome, Run, Shell } from './call.ts'
import { readFed, saidBy } from './fed.ts'
import { type Arg, argOf, type Notes, type Places, UNKNOWN, union } from './notes.ts'
import { perform } from './perform.ts'
import type { Redirect, Token, Word } from './token.ts'
import { expandBraces, PATTERN } from './word-text.ts'

const CLOSES = /^(then|do|done|else|elif|fi|esac|\})$/

/** Follows the commands of one shell, from one to the next, with the folders they run in. */
export class Walk {
  private at = 0

  private readonly tokens: readonly Token[]
  private places: Places
  /** What the commands of this pipeline hand on. */
  private said: string[] = []
  private readonly shell: Shell
  private readonly run: Run

  constructor(tokens: readonly Token[], places: Places, shell: Shell, run: Run) {
    this.tokens = tokens
    this.places = places
    this.shell = shell
    this.run = run
  }

  /** Reads all of it; returns the places where the next command would run. */
  all(): Places {
    while (this.at < this.tokens.length) {
      this.list()
      // What closes nothing is no shell; the rest is read all the same.
      if (this.at < this.tokens.length) {
        this.notes.opaque('it is no whole command')
        this.at++
      }
    }
    return this.places
  }

  private get notes(): Notes {
    return this.shell.notes
  }

  private op(): string | undefined {
    const token = this.tokens[this.at]
    return token?.is === 'op' ? token.op : undefined
  }

  private name(): string | undefined {
    const token = this.tokens[this.at]
    return token?.is === 'word' && !token.quoted ? token.raw : undefined
  }

  /** Commands up to what closes them: a `)`, `;;`, `done` and the like. */
  private list() {
    while (this.at < this.tokens.length) {
      const op = this.op()
      if (op === ';' || op === '&' || op === '\n') this.at++
      else if (op !== undefined && op !== '(') return
      else if (CLOSES.test(this.name() ?? '')) return
      else this.andOr()
    }
  }

  private andOr() {
    const start = this.places
    let { ok, fail } = this.pipeline(start)
    const alone = this.op() !== '&&' && this.op() !== '||'
    for (let op = this.op(); op === '&&' || op === '||'; op = this.op()) {
      this.at++
      while (this.op() === '\n') this.at++
      if (op === '&&') {
        const next = this.pipeline(ok.length > 0 ? ok : start)
        ok = next.ok
        fail = union(fail, next.fail)
      } else {
        const next = this.pipeline(fail.length > 0 ? fail : start)
        ok = union(ok, next.ok)
        fail = next.fail
      }
    }
    const stops = alone && this.shell.stopsAtErrors && this.shell.nesting === 0
    const both = stops && ok.length > 0 ? ok : union(ok, fail)
    this.places = this.op() === '&' || both.length === 0 ? start : both
  }

  private pipeline(start: Places): Outcome {
    if (this.shell.nesting === 0) this.said = []
    const negated = this.name() === '!'
    while (/^(!|time|coproc)$/.test(this.name() ?? '')) {
      const next = this.tokens[this.at + 1]
      // The program of that name has options.
      if (this.name() === 'time' && next?.is === 'word' && next.raw.startsWith('-')) break
      this.at++
    }
    let outcome = this.command(start, false)
    while (this.op() === '|' || this.op() === '|&') {
      this.at++
      while (this.op() === '\n') this.at++
      this.command(start, true)
      outcome = { ok: start, fail: start }
    }
    return negated ? { ok: outcome.fail, fail: outcome.ok } : outcome
  }

  private command(start: Places, piped: boolean): Outcome {
    const before = this.at
    this.places = start
    this.substitutions()
    this.shell.nesting++
    const compound = this.compound(start)
    this.shell.nesting--
    const outcome = compound ?? this.simple(start, piped)
    if (this.at === before) this.at++
    return outcome
  }

  private substitutions() {
    for (let token = this.tokens[this.at]; token?.is === 'run'; token = this.tokens[++this.at])
      this.run(token.tokens, this.places)
  }

  private compound(start: Places): Outcome | undefined {
    const name = this.name()
    if (this.op() === '(') {
      this.at++
      this.list()
      this.close(')')
      this.redirects(start)
      return { ok: start, fail: start }
    }
    if (name === 'function' || this.isFunction()) return this.define(start)
    if (name === '{') {
      this.at++
      this.list()
      this.closeWord('}')
    } else if (name === 'if') this.condition(start)
    else if (name === 'while' || name === 'until') this.loop(start, false)
    else if (name === 'for' || name === 'select') this.loop(start, true)
    else if (name === 'case') this.choice(start)
    else return undefined
    this.redirects(start)
    return { ok: this.places, fail: this.places }
  }

  private condition(start: Places) {
    let ends: Places = []
    while (['if', 'elif'].includes(this.name() ?? '')) {
      this.at++
      this.list()
      this.closeWord('then')
      const tested = this.places
      this.list()
      ends = union(ends, this.places)
      this.places = tested
    }
    if (this.name() === 'else') {
      this.at++
      this.list()
    }
    this.closeWord('fi')
    this.places = union(ends, this.places, start)
  }

  private loop(start: Places, over: boolean) {
    this.at++
    readFed(this.said, this.notes, start)
    if (over) {
      // The words it goes over; a bare `do` ends them.
      while (this.at < this.tokens.length && this.name() !== 'do') {
        this.substitutions()
        if (this.name() === 'do') break
        const token = this.tokens[this.at++]
        if (token?.is !== 'word') continue
        for (const arg of this.expand(token, start)) this.notes.literal(arg, start)
      }
    } else this.list()
    this.closeWord('do')
    this.list()
    this.closeWord('done')
    // The next round would start somewhere else.
    if (this.places.some((place) => !start.includes(place))) {
      this.notes.opaque('a loop changes its folder')
      this.places = [UNKNOWN]
    }
  }

  private choice(start: Places) {
    let ends: Places = start
    this.at++
    this.skipTo(() => this.name() === 'in')
    this.at++
    while (this.at < this.tokens.length && this.name() !== 'esac') {
      this.skipTo(() => this.op() === ')' || this.name() === 'esac')
      if (this.name() === 'esac') break
      this.at++
      this.places = start
      this.list()
      ends = union(ends, this.places)
      if (this.op()?.startsWith(';')) this.at++
      else if (this.name() !== 'esac') break
    }
    this.closeWord('esac')
    this.places = ends
  }

  /** Words that are no commands; what is substituted in them runs all the same. */
  private skipTo(isThere: () => boolean) {
    while (this.at < this.tokens.length && !isThere()) {
      const before = this.at
      this.substitutions()
      if (this.at === before) this.at++
    }
  }

  private isFunction(): boolean {
    const [word, open, close] = this.tokens.slice(this.at, this.at + 3)
    return (
      word?.is === 'word' &&
      open?.is === 'op' &&
      open.op === '(' &&
      close?.is === 'op' &&
      close.op === ')'
    )
  }

  /** Its body is read where it is defined; calls from elsewhere are not followed. */
  private define(start: Places): Outcome {
    if (this.name() === 'function') this.at++
    const name = this.name() ?? ''
    this.at++
    if (this.op() === '(') this.at += 2
    while (this.op() === '\n') this.at++
    const { ok, fail } = this.command(start, false)
    const moves = union(ok, fail).some((place) => !start.includes(place))
    this.shell.functions.set(name, { places: start, moves })
    return { ok: start, fail: [] }
  }

  private simple(start: Places, piped: boolean): Outcome {
    const args: Arg[] = []
    const redirects: Redirect[] = []
    for (; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at] as Token
      if (token.is === 'op') break
      if (token.is === 'run') this.run(token.tokens, start)
      else if (token.is === 'redirect') redirects.push(token)
      else args.push(...this.expand(token, start, args[0]?.raw !== '[['))
    }
    for (const redirect of redirects) this.redirect(redirect, start)
    if (args.length === 0) return { ok: start, fail: [] }
    this.said.push(...saidBy(args, redirects))
    return perform(args, { places: start, piped, redirects, fed: this.said, shell: this.shell })
  }

  private expand(word: Word, places: Places, globs = true): Arg[] {
    const raw = this.notes.settled(word.raw, places)
    const spelled = raw.includes('{') ? expandBraces(raw) : [raw]
    if (spelled === undefined) return [argOf(raw, 'a list in braces')]
    const args = spelled.map((one) => argOf(one, word.why))
    return globs ? args.flatMap((arg) => this.notes.expanded(arg, places)) : args
  }

  private redirects(places: Places) {
    for (let token = this.tokens[this.at]; token; token = this.tokens[++this.at]) {
      if (token.is === 'redirect') {
        this.redirect(token, places)
        readFed(saidBy([], [token]), this.notes, places)
      } else if (token.is === 'run') this.run(token.tokens, places)
      else return
    }
  }

  private redirect({ op, target }: Redirect, places: Places) {
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

  private close(op: string) {
    if (this.op() === op) this.at++
    else this.notes.opaque('it is no whole command')
  }

  private closeWord(name: string) {
    if (this.name() === name) this.at++
    else this.notes.opaque('it is no whole command')
  }
}
