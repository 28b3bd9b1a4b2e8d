import { DraftRow, type Source, type Span } from './source.ts'

/** One word of a command, as the shell would pass it on. */
export type DecodedWord = {
  text: string
  span: Span
  /** What was in quotes in it, if it is more than one word. */
  quoted: Source[]
  /** It names the file that output is written to. */
  isOutput: boolean
}

/** A command, and how it is joined to others. */
export type CommandWords = {
  words: DecodedWord[]
  /** It reads the output of another command. */
  isFed: boolean
  /** Another command reads its output, or a file stores it. */
  isRead: boolean
  /** It is in `$(…)`, backticks or `<(…)` of a word of this command. */
  inside: boolean
}

/** How a backslash is read: as the shell does, or as part of a path on Windows. */
export type Backslash = 'escapes' | 'separates'

const BLANK = /[ \t\r\u00a0\u2000-\u200b\u3000]/
const ENDS = new Set([';', '&', '|', '\n'])

/**
 * The commands in a text, however deep: after `&&`, in `$(…)`, in groups. Accepts prose as well: a
 * quote that is never closed is an apostrophe. Never throws; the work is linear in the length.
 */
export function readCommands(source: Source, backslash: Backslash = 'escapes'): CommandWords[] {
  return new Reader(source, backslash).all()
}

class Reader {
  private readonly done: CommandWords[] = []
  private readonly open: { command: CommandWords; closes: string }[] = []
  private command = newCommand(false)
  private draft = new DraftRow()
  private quoted: Source[] = []
  private began: number | undefined
  private toOutput = false
  private at = 0
  private readonly text: string
  private readonly source: Source
  private readonly backslash: Backslash

  constructor(source: Source, backslash: Backslash) {
    this.source = source
    this.backslash = backslash
    this.text = source.text
  }

  all(): CommandWords[] {
    while (this.at < this.text.length) this.step(this.text[this.at] as string)
    this.endCommand()
    while (this.open.length > 0) this.close()
    return this.done.filter(({ words }) => words.length > 0)
  }

  private step(char: string): void {
    const two = this.text.slice(this.at, this.at + 2)
    if (char === "'" || two === "$'" || char === '"') this.quote(two === "$'" ? "$'" : char)
    else if (two === '$(' || two === '<(' || two === '>(') this.substitute(two)
    else if (char === '`') this.backtick()
    else if (char === '\\') this.escape()
    else if (/^\$(IFS|\{IFS)/.test(this.text.slice(this.at, this.at + 6))) this.ifs()
    else if (char === '(') this.group()
    else if (char === ')') this.closeGroup()
    else if (BLANK.test(char)) this.blank()
    else if (char === '>' || two === '&>') this.output()
    else if (char === '<') this.input()
    else if (ENDS.has(char)) this.end(char)
    else this.keep(char, 1)
  }

  private keep(text: string, length: number): void {
    this.began ??= this.at
    this.draft.add(text, this.source.at[this.at] ?? 0)
    this.at += length
  }

  private blank(): void {
    this.endWord()
    this.at++
  }

  private ifs(): void {
    const length = /^\$(IFS(\$\d)?|\{IFS[^}]*\})/.exec(this.text.slice(this.at))?.[0].length ?? 4
    this.endWord()
    this.at += length
  }

  private escape(): void {
    const next = this.text[this.at + 1]
    if (this.backslash === 'separates') this.keep('/', 1)
    else if (next === '\n') this.at += 2
    else if (next === undefined) this.at++
    else {
      this.at++
      this.keep(next, 1)
    }
  }

  /** Without a closing quote it is an apostrophe. */
  private quote(opening: string): void {
    const mark = opening.slice(-1)
    const from = this.at + opening.length
    const to = this.closing(from, mark, opening !== "'")
    if (to < 0) {
      this.keep(opening, opening.length)
      return
    }
    this.began ??= this.at
    const inner = new DraftRow()
    for (this.at = from; this.at < to; ) this.insideQuote(opening, inner)
    const said = inner.take()
    if (/[\s;&|$`]/.test(said.text)) this.quoted.push(said)
    this.at = to + 1
  }

  private insideQuote(opening: string, inner: DraftRow): void {
    const place = this.source.at[this.at] ?? 0
    const rest = this.text.slice(this.at, this.at + 12)
    const code = opening === "$'" ? ansi(rest) : undefined
    const escaped = opening === '"' && /^\\["\\$`\n]/.test(rest)
    const said = code?.text ?? (escaped ? rest[1] : rest[0]) ?? ''
    this.draft.add(said, place)
    inner.add(said, place)
    this.at += code?.length ?? (escaped ? 2 : 1)
  }

  private closing(from: number, mark: string, escapes: boolean): number {
    for (let at = from; at < this.text.length; at++) {
      if (escapes && this.text[at] === '\\') at++
      else if (this.text[at] === mark) return at
    }
    return -1
  }

  private substitute(opening: string): void {
    this.keep(opening, 2)
    this.push(')')
  }

  private backtick(): void {
    if (this.open.at(-1)?.closes === '`') {
      this.close()
      this.at++
      return
    }
    const isAlone = this.text.indexOf('`', this.at + 1) < 0
    this.keep('`', 1)
    if (!isAlone) this.push('`')
  }

  private group(): void {
    this.endCommand()
    this.at++
  }

  private closeGroup(): void {
    if (this.open.at(-1)?.closes === ')') this.close()
    else this.endCommand()
    this.at++
  }

  private push(closes: string): void {
    // The word continues after it: what was read of it so far is kept.
    this.command.words.push(this.takeWord())
    this.open.push({ command: this.command, closes })
    this.command = newCommand(true)
  }

  private close(): void {
    this.endCommand()
    const outer = this.open.pop()
    if (outer) this.command = outer.command
  }

  private output(): void {
    this.endWord()
    const sign = /^&?>[>|&]?/.exec(this.text.slice(this.at, this.at + 3))?.[0] ?? '>'
    this.at += sign.length
    this.toOutput = true
    if (!/^\s*(\d|\/dev\/null|-)/.test(this.text.slice(this.at, this.at + 12))) {
      this.command.isRead = true
    }
  }

  private input(): void {
    this.endWord()
    const sign = /^<{1,3}-?/.exec(this.text.slice(this.at, this.at + 4))?.[0] ?? '<'
    this.command.isFed = true
    this.at += sign.length
  }

  private end(char: string): void {
    const isPipe = char === '|' && this.text[this.at + 1] !== '|' && this.text[this.at - 1] !== '|'
    if (isPipe) this.command.isRead = true
    const { inside } = this.command
    this.endCommand()
    this.command = { ...newCommand(inside), isFed: isPipe }
    this.at += isPipe && this.text[this.at + 1] === '&' ? 2 : 1
  }

  private endWord(): void {
    if (this.began === undefined) return
    const word = this.takeWord()
    const choices = word.quoted.length === 0 ? bracesOf(word) : undefined
    this.command.words.push(...(choices ?? [word]))
  }

  private takeWord(): DecodedWord {
    const { text, at } = this.draft.take()
    const from = this.source.at[this.began ?? this.at] ?? 0
    const to = Math.max((at.at(-1) ?? from) + 1, (this.source.at[this.at - 1] ?? from) + 1)
    const word = { text, span: [from, to] as const, quoted: this.quoted, isOutput: this.toOutput }
    this.draft = new DraftRow()
    this.quoted = []
    this.began = undefined
    this.toOutput = false
    return word
  }

  private endCommand(): void {
    this.endWord()
    this.toOutput = false
    this.done.push(this.command)
    this.command = newCommand(this.command.inside)
  }
}

function newCommand(inside: boolean): CommandWords {
  return { words: [], isFed: false, isRead: false, inside }
}

/** `{rm,-rf,x}` is three words. */
function bracesOf(word: DecodedWord): DecodedWord[] | undefined {
  const [, inner] = /^\{([^{}]*,[^{}]*)\}$/.exec(word.text) ?? []
  return inner?.split(',').map((text) => ({ ...word, text }))
}

/** One character of `$'…'`: `\x72`, `\162`, `\n`. */
function ansi(rest: string): { text: string; length: number } | undefined {
  const hex = /^\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4}))/i.exec(rest)
  if (hex) return { text: fromCode(hex[1] ?? hex[2] ?? '', 16), length: hex[0].length }
  const octal = /^\\([0-7]{1,3})/.exec(rest)
  if (octal) return { text: fromCode(octal[1] ?? '', 8), length: octal[0].length }
  const named = /^\\([ntr"'\\])/.exec(rest)
  if (!named) return undefined
  return { text: NAMED[named[1] as string] ?? (named[1] as string), length: 2 }
}

const NAMED: Record<string, string> = { n: '\n', t: '\t', r: '\r' }

function fromCode(digits: string, base: number): string {
  return String.fromCharCode(Number.parseInt(digits, base) & 0xffff)
}
