import type { ExitOutcome } from './call.ts'
import { readFed, saidBy } from './fed.ts'
import { Loops } from './loops.ts'
import { type Arg, type Places, union } from './notes.ts'
import { perform } from './perform.ts'
import type { Redirect, Token } from './token.ts'
import type { ShellAssignment } from './words.ts'

const CLOSES = /^(then|do|done|else|elif|fi|esac|\})$/

/** Follows the commands of one shell, from one to the next, with the folders they run in. */
export class Walk extends Loops {
  /** Reads all of it; returns the places where the next command would run. */
  all(): Places {
    while (this.at < this.tokens.length) {
      this.list()
      // A closing word without an opening one; the rest is read anyway.
      if (this.at < this.tokens.length) {
        this.notes.opaque('it is not a complete command')
        this.at++
      }
    }
    return this.places
  }

  /** Commands up to what closes them: a `)`, `;;`, `done` and the like. */
  protected list() {
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
    const { variables } = this.shell
    const before = variables.now()
    let { ok, fail } = this.pipeline(start)
    const sure = variables.now()
    const alone = this.op() !== '&&' && this.op() !== '||'
    for (let op = this.op(); op === '&&' || op === '||'; op = this.op()) {
      this.at++
      while (this.op() === '\n') this.at++
      if (op === '&&') {
        const next = this.pipeline(ok.length > 0 ? ok : start)
        ok = next.ok
        fail = union(fail, next.fail)
      } else {
        // Which of the commands before it ran is not known.
        variables.merge(before)
        const next = this.pipeline(fail.length > 0 ? fail : start)
        ok = union(ok, next.ok)
        fail = next.fail
      }
    }
    variables.merge(sure)
    // Runs in the background, in a subshell.
    if (this.op() === '&') variables.restore(before)
    const stops = alone && this.shell.stopsAtErrors && this.shell.nesting === 0
    const both = stops && ok.length > 0 ? ok : union(ok, fail)
    this.places = this.op() === '&' || both.length === 0 ? start : both
  }

  private pipeline(start: Places): ExitOutcome {
    if (this.shell.nesting === 0) this.said = []
    const negated = this.name() === '!'
    while (/^(!|time|coproc)$/.test(this.name() ?? '')) {
      const next = this.tokens[this.at + 1]
      // The external program of that name has options.
      if (this.name() === 'time' && next?.is === 'word' && next.raw.startsWith('-')) break
      this.at++
    }
    const { variables } = this.shell
    const before = variables.now()
    let outcome = this.command(start, false)
    while (this.op() === '|' || this.op() === '|&') {
      variables.restore(before)
      this.at++
      while (this.op() === '\n') this.at++
      this.command(start, true)
      // The last command is a subshell as well, except in zsh.
      variables.merge(before)
      outcome = { ok: start, fail: start }
    }
    return negated ? { ok: outcome.fail, fail: outcome.ok } : outcome
  }

  private command(start: Places, piped: boolean): ExitOutcome {
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

  private compound(start: Places): ExitOutcome | undefined {
    const name = this.name()
    if (this.op() === '(') {
      const before = this.shell.variables.now()
      this.at++
      this.list()
      this.close(')')
      this.shell.variables.restore(before)
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
    const { variables } = this.shell
    const ways: ReturnType<typeof variables.now>[] = []
    while (['if', 'elif'].includes(this.name() ?? '')) {
      this.at++
      this.list()
      this.closeWord('then')
      const tested = this.places
      const known = variables.now()
      this.list()
      ends = union(ends, this.places)
      ways.push(variables.now())
      this.places = tested
      variables.restore(known)
    }
    if (this.name() === 'else') {
      this.at++
      this.list()
    }
    for (const way of ways) variables.merge(way)
    this.closeWord('fi')
    this.places = union(ends, this.places, start)
  }

  private choice(start: Places) {
    let ends: Places = start
    const { variables } = this.shell
    const before = variables.now()
    const ways = [before]
    this.at++
    this.skipTo(() => this.name() === 'in')
    this.at++
    while (this.at < this.tokens.length && this.name() !== 'esac') {
      this.skipTo(() => this.op() === ')' || this.name() === 'esac')
      if (this.name() === 'esac') break
      this.at++
      this.places = start
      // `;&` falls through from the case before.
      if (ways.length > 1) variables.merge(before)
      else variables.restore(before)
      this.list()
      ways.push(variables.now())
      ends = union(ends, this.places)
      if (this.op()?.startsWith(';')) this.at++
      else if (this.name() !== 'esac') break
    }
    for (const way of ways) variables.merge(way)
    this.closeWord('esac')
    this.places = ends
  }

  /** Words that are not commands; their substitutions run anyway. */
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

  /** The body is read where it is defined; calls from elsewhere are not followed. */
  private define(start: Places): ExitOutcome {
    if (this.name() === 'function') this.at++
    const name = this.name() ?? ''
    this.at++
    if (this.op() === '(') this.at += 2
    while (this.op() === '\n') this.at++
    // The function runs later, with whatever values the variables have then.
    const { variables } = this.shell
    const before = variables.now()
    variables.forget()
    this.notes.again++
    const { ok, fail } = this.command(start, false)
    this.notes.again--
    const moves = union(ok, fail).some((place) => !start.includes(place))
    variables.restore(before)
    this.shell.functions.set(name, { places: start, moves })
    return { ok: start, fail: [] }
  }

  private simple(start: Places, piped: boolean): ExitOutcome {
    const args: Arg[] = []
    const redirects: Redirect[] = []
    const set: ShellAssignment[] = []
    for (; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at] as Token
      if (token.is === 'op') break
      if (token.is === 'run') this.run(token.tokens, start, this.shell)
      else if (token.is === 'redirect') redirects.push(this.filled(token))
      else {
        const assigned = args.length === set.length ? this.assignment(token, start) : undefined
        if (assigned) {
          set.push(assigned)
          args.push(assigned.arg)
        } else args.push(...this.expand(token, start, args[0]?.raw !== '[['))
      }
    }
    for (const redirect of redirects) this.redirect(redirect, start)
    if (args.length === 0) return { ok: start, fail: [] }
    this.said.push(...saidBy(args, redirects))
    // An assignment before a command applies to that command only, which may itself keep it.
    for (const { name, value } of set)
      this.shell.variables.set(name, set.length === args.length ? value : undefined)
    this.write(args, redirects, start)
    return perform(args, { places: start, piped, redirects, fed: this.said, shell: this.shell })
  }

  private redirects(places: Places) {
    for (let token = this.tokens[this.at]; token; token = this.tokens[++this.at]) {
      if (token.is === 'redirect') {
        const redirect = this.filled(token)
        this.redirect(redirect, places)
        readFed(saidBy([], [redirect]), this.notes, places)
      } else if (token.is === 'run') this.run(token.tokens, places, this.shell)
      else return
    }
  }
}
