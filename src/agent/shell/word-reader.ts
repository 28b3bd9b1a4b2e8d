import { type Token, Unreadable, type Word } from './token.ts'
import { HERE, HOLE, HOME, quote, variable } from './word-text.ts'

const DEPTH_MAX = 40
const INSTEAD_MAX = 32
const ENDS_WORD = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')'])

/** Reads words: quotes, escapes, expansions. Text in a substitution is read as commands. */
export abstract class WordReader {
  protected at = 0
  protected readonly text: string
  protected depth: number
  private arithmeticEnds = true

  constructor(text: string, depth: number) {
    this.text = text
    this.depth = depth
  }

  /** Up to the end of the text, or to the `)` that closes a substitution. */
  abstract commands(nested: boolean): Token[]
  /** A reader for the text of a substitution. */
  protected abstract another(text: string): WordReader

  /** The commands in a heredoc or in arithmetic. */
  substitutions(): Token[] {
    const tokens: Token[] = []
    const word: Word = { is: 'word', raw: '', quoted: true }
    while (this.at < this.text.length) {
      const char = this.text[this.at++]
      if (char === '\\') this.at++
      else if (char === '`') this.backtick(tokens, word)
      else if (char === '$') this.dollar(tokens, word, true)
    }
    return tokens
  }

  /** `((1 > 2))` and `$((…))` compare and calculate; they write nothing. */
  protected arithmetic(tokens: Token[]): boolean {
    if (!this.arithmeticEnds) return false
    let depth = 0
    for (let at = this.at; at < this.text.length; at++) {
      const char = this.text[at]
      if (char === '(') depth++
      else if (char === ')' && --depth === 1 && this.text[at + 1] !== ')') return false
      if (depth > 0) continue
      const inner = this.text.slice(this.at + 2, at - 1)
      this.at = at + 1
      tokens.push(...this.another(inner).substitutions())
      return true
    }
    this.arithmeticEnds = false
    return false
  }

  /** Reads one word; the commands of its substitutions go to `tokens` before it. */
  protected word(tokens: Token[], test: boolean): Word {
    const word: Word = { is: 'word', raw: '', quoted: false }
    let raw = ''
    while (this.at < this.text.length) {
      const char = this.text[this.at] as string
      const joined = this.joined(char, raw, tokens, word)
      if (joined !== undefined) raw += joined
      else if (ENDS_WORD.has(char)) {
        if (!test || /\s/.test(char)) break
        raw += char
        this.at++
      } else if (char === '\r' && this.text[this.at + 1] === '\n') break
      else raw += this.piece(char, tokens, word, false)
    }
    if (raw === '' && !word.quoted && test) this.at++
    word.raw = raw
    return word
  }

  /** `<(…)`, `>(…)`, `a=(…)` and `@(…)` continue a word where it would otherwise end. */
  private joined(char: string, raw: string, tokens: Token[], word: Word): string | undefined {
    if (char !== '<' && char !== '>' && char !== '(') return undefined
    const substitutes = char !== '(' && this.text[this.at + 1] === '('
    const array = char === '(' && /^\w+\+?=$/.test(raw)
    const group = char === '(' && '?*+@!'.includes(raw.at(-1) ?? ' ')
    if (!substitutes && !array && !group) return undefined
    this.at += substitutes ? 2 : 1
    const inner = this.commands(true)
    if (substitutes) {
      tokens.push({ is: 'run', tokens: inner })
      return '/dev/fd/63'
    }
    tokens.push(...inner.filter((token) => token.is === 'run'))
    word.why = array ? 'an array' : 'a pattern'
    return HOLE
  }

  private piece(char: string, tokens: Token[], word: Word, inQuotes: boolean): string {
    this.at++
    if (char === '\\') return this.escaped(word)
    if (char === "'" && !inQuotes) return this.single(word)
    if (char === '"') return this.double(tokens, word)
    if (char === '`') return this.backtick(tokens, word)
    if (char === '$') return this.dollar(tokens, word, inQuotes)
    return char
  }

  private escaped(word: Word): string {
    const next = this.text[this.at++] ?? ''
    if (next === '\n') return ''
    if (next === '\r' && this.text[this.at] === '\n') {
      this.at++
      return ''
    }
    word.quoted = true
    return quote(next)
  }

  private single(word: Word): string {
    const end = this.text.indexOf("'", this.at)
    if (end < 0) throw new Unreadable('a quote is not closed')
    const inner = this.text.slice(this.at, end)
    this.at = end + 1
    word.quoted = true
    return quote(inner)
  }

  private double(tokens: Token[], word: Word): string {
    word.quoted = true
    let raw = ''
    while (this.at < this.text.length) {
      const char = this.text[this.at++] as string
      if (char === '"') return raw
      const next = this.text[this.at] ?? ''
      if (char === '\\' && '$`"\\\n'.includes(next) && next !== '') {
        this.at++
        if (next !== '\n') raw += quote(next)
      } else if (char === '`') raw += this.backtick(tokens, word)
      else if (char === '$') raw += this.dollar(tokens, word, true)
      else raw += quote(char)
    }
    throw new Unreadable('a quote is not closed')
  }

  private backtick(tokens: Token[], word: Word): string {
    let inner = ''
    while (this.at < this.text.length) {
      const char = this.text[this.at++] as string
      if (char === '`') {
        tokens.push({ is: 'run', tokens: this.another(inner).commands(false) })
        word.why = 'a substitution'
        return HOLE
      }
      const next = this.text[this.at] ?? ''
      if (char === '\\' && next !== '' && '$`\\'.includes(next)) {
        inner += next
        this.at++
      } else inner += char
    }
    throw new Unreadable('a substitution is not closed')
  }

  private dollar(tokens: Token[], word: Word, inQuotes: boolean): string {
    const next = this.text[this.at] ?? ''
    if (next === "'" && !inQuotes) return this.ansi(word)
    if (next === '"' && !inQuotes) return ''
    if (next === '(') {
      if (!(this.text[this.at + 1] === '(' && this.arithmetic(tokens))) {
        this.at++
        tokens.push({ is: 'run', tokens: this.commands(true) })
      }
      word.why = 'a substitution'
      return HOLE
    }
    const plainly = /^\{(PWD|HOME)\}/.exec(this.text.slice(this.at, this.at + 6))
    if (plainly) {
      this.at += plainly[0].length
      return plainly[1] === 'PWD' ? HERE : HOME
    }
    const braced = /\{([A-Za-z_]\w*)\}/y
    braced.lastIndex = this.at
    const inner = braced.exec(this.text)
    if (inner?.[1] !== undefined) {
      this.at += inner[0].length
      return variable(inner[1], inQuotes)
    }
    if (next === '{') return this.parameter(tokens, word, inQuotes)
    const name = /[A-Za-z_]\w*|[0-9@*#?$!-]/y
    name.lastIndex = this.at
    const found = name.exec(this.text)?.[0]
    if (found === undefined) return quote('$')
    this.at += found.length
    if (found === 'PWD' || found === 'HOME') return found === 'PWD' ? HERE : HOME
    if (/^[A-Za-z_]/.test(found)) return variable(found, inQuotes)
    word.why = `$${found}`
    return HOLE
  }

  /** `${x:-$(…)}`: the inner part may run commands too, and it may become part of the word. */
  private parameter(tokens: Token[], word: Word, inQuotes: boolean): string {
    this.at++
    this.deeper()
    const begin = /(\w+:?[-=+])?/y
    begin.lastIndex = this.at
    const gives = begin.exec(this.text)?.[1]
    this.at += gives?.length ?? 0
    let inner = ''
    while (this.at < this.text.length && this.text[this.at] !== '}') {
      inner += this.piece(this.text[this.at] as string, tokens, word, inQuotes)
    }
    if (this.at >= this.text.length) throw new Unreadable('an expansion is not closed')
    this.at++
    this.depth--
    word.why = 'an expansion'
    const known = word.instead ?? {}
    const count = Object.keys(known).length
    if (gives === undefined || count === INSTEAD_MAX) return HOLE
    // No variable has such a name.
    const name = `0${count}`
    known[name] = inner
    word.instead = known
    return variable(name, inQuotes)
  }

  private ansi(word: Word): string {
    const found = /'((?:[^'\\]|\\[\s\S])*)'/y
    found.lastIndex = this.at
    const match = found.exec(this.text)
    if (!match) throw new Unreadable('a quote is not closed')
    this.at += match[0].length
    word.quoted = true
    return quote(unescapeAnsi(match[1] ?? ''))
  }

  protected deeper() {
    if (++this.depth > DEPTH_MAX) throw new Unreadable('it is nested too deep')
  }
}

const NAMED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1B',
  E: '\x1B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const ESCAPE =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g

/** The content of `$'…'`. Bytes above 7F are decoded as UTF-8, like the shell's output. */
function unescapeAnsi(text: string): string {
  const bytes: Buffer[] = []
  let last = 0
  for (const match of text.matchAll(ESCAPE)) {
    bytes.push(Buffer.from(text.slice(last, match.index)))
    last = match.index + match[0].length
    const [, hex, short, long, octal, control, char] = match
    const code = short ?? long
    if (code !== undefined) bytes.push(Buffer.from(character(Number.parseInt(code, 16))))
    else if (hex !== undefined) bytes.push(Buffer.of(Number.parseInt(hex, 16)))
    else if (octal !== undefined) bytes.push(Buffer.of(Number.parseInt(octal, 8) & 0xff))
    else if (control !== undefined) bytes.push(Buffer.of(control.charCodeAt(0) & 0x1f))
    else
      bytes.push(
        Buffer.from(NAMED[char ?? ''] ?? (/["'?\\]/.test(char ?? '') ? `${char}` : `\\${char}`)),
      )
  }
  bytes.push(Buffer.from(text.slice(last)))
  // In the shell, such a text ends at a NUL.
  return Buffer.concat(bytes).toString('utf8').replace(/\0.*$/s, '')
}

function character(code: number): string {
  return code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code)
}
