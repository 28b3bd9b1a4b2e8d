import { type Redirect, type Token, Unreadable } from './token.ts'
import { WordReader } from './word-reader.ts'
import { withoutQuotes } from './word-text.ts'

const OPERATORS = ['&&', '||', ';;&', ';;', ';&', '|&', ';', '|', '&', '(', ')', '\n']
const REDIRECT = /(?:\d*|\{\w+\})(?:&>>|&>|>>|>\||>&|<<<|<<-|<<|<>|<&|>|<)/y
const OPENS_COMMAND = /^(then|do|else|elif|if|while|until|for|time|coproc|!|\{)$/

/** The tokens of a command, in one pass. Throws `Unreadable` if it is nested too deeply. */
export function lex(text: string, depth = 0): Token[] {
  return new Reader(text, depth).commands(false)
}

class Reader extends WordReader {
  private readonly pending: { redirect: Redirect; end: string; tabs: boolean; quoted: boolean }[] =
    []

  protected another(text: string): Reader {
    return new Reader(text, this.depth)
  }

  /** Up to the end of the text, or to the `)` that closes a substitution. */
  commands(nested: boolean): Token[] {
    this.deeper()
    const tokens: Token[] = []
    const open: string[] = []
    let first = true
    let test = false
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string
      if (char === ' ' || char === '\t' || (char === '\r' && this.text[this.at + 1] === '\n')) {
        this.at++
      } else if (char === '\\' && /^\r?\n/.test(this.text.slice(this.at + 1, this.at + 3))) {
        this.at += this.text[this.at + 1] === '\r' ? 3 : 2
      } else if (char === '#') {
        this.skipComment()
      } else if (!test && first && this.text.startsWith('((', this.at) && this.arithmetic(tokens)) {
        tokens.push({ is: 'word', raw: ':', quoted: false })
        first = false
      } else if (test || !this.redirect(tokens)) {
        const op = test ? undefined : OPERATORS.find((one) => this.text.startsWith(one, this.at))
        if (op === undefined) {
          const word = this.word(tokens, test)
          tokens.push(word)
          const name = word.quoted ? '' : word.raw
          if (name === '[[' && first) test = true
          else if (name === ']]') test = false
          if (name === 'case' && first) open.push('case')
          if (name === 'esac' && open.at(-1) === 'case') open.pop()
          first = OPENS_COMMAND.test(name) || (first && /^\w+\+?=/.test(name))
          continue
        }
        this.at += op.length
        if (op === '\n') this.heredocs(tokens)
        if (op === '(') open.push('(')
        const inPattern = op === ')' && open.at(-1) === 'case'
        if (op === ')' && !inPattern && open.pop() === undefined && nested) {
          this.depth--
          return tokens
        }
        tokens.push({ is: 'op', op })
        first = true
      }
    }
    if (nested) throw new Unreadable('a substitution is not closed')
    this.heredocs(tokens)
    this.depth--
    return tokens
  }

  private skipComment() {
    const end = this.text.indexOf('\n', this.at)
    this.at = end < 0 ? this.text.length : end
  }

  private redirect(tokens: Token[]): boolean {
    REDIRECT.lastIndex = this.at
    const found = REDIRECT.exec(this.text)?.[0]
    if (found === undefined || /^[<>]\($/.test(this.text.slice(this.at, this.at + 2))) return false
    this.at += found.length
    const op = found.replace(/^(\d+|\{\w+\})/, '')
    while (/[ \t]/.test(this.text[this.at] ?? '')) this.at++
    const target = this.word(tokens, false)
    const redirect: Redirect = { is: 'redirect', op, target }
    tokens.push(redirect)
    if (op === '<<' || op === '<<-')
      this.pending.push({
        redirect,
        end: withoutQuotes(target.raw),
        tabs: op === '<<-',
        quoted: target.quoted,
      })
    return true
  }

  private heredocs(tokens: Token[]) {
    for (const { redirect, end, tabs, quoted } of this.pending.splice(0)) {
      const start = this.at
      let stop = -1
      while (this.at < this.text.length && stop < 0) {
        const next = this.text.indexOf('\n', this.at)
        const after = next < 0 ? this.text.length : next
        const line = this.text.slice(this.at, after).replace(/\r$/, '')
        if ((tabs ? line.replace(/^\t+/, '') : line) === end) stop = this.at
        this.at = Math.min(after + 1, this.text.length)
      }
      redirect.body = this.text.slice(start, stop < 0 ? this.text.length : stop)
      if (!quoted) tokens.push(...this.another(redirect.body).substitutions())
    }
  }
}
