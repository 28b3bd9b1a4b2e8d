import type { Word } from '../../ask/wire/reading/reading.ts'
import type { TouchNotes } from './notes.ts'
import { ANYWHERE, joinAll, operandOf, type Places } from './operand.ts'

const NAMES_MAX = 1000
const PATH_MAX = 8192
const HOLE = '\uE080'

/**
 * Every path that a text may name, whatever it does with it: off-limits paths must not even be
 * named.
 */
export class Names {
  readonly all = new Set<string>()
  isFull = false
  private readonly notes: TouchNotes

  constructor(notes: TouchNotes) {
    this.notes = notes
  }

  /** A word, in the folders that it may be seen from. */
  word(word: Word, places: Places) {
    const { text, why, isPattern } = operandOf(word, this.notes.start)
    if (why === undefined) {
      for (const spelling of spellings(text)) this.keep(spelling, places)
    } else if (isPattern) this.pattern(text, places)
    else this.unknown(word.text, places)
  }

  /** Every part of a text that could be a path: code in a language that is not read. */
  code(text: string) {
    // An argument of `printf` has line breaks as text.
    for (const plain of new Set([text, text.replace(/\\[abefnrtv0]/g, ' ')])) {
      for (const piece of plain.split(/[\s"'`()[\]{},;=<>|&]+/)) {
        if (/[*?]/.test(piece) && /\w/.test(piece)) this.pattern(piece, [this.notes.start])
        for (const spelling of spellings(piece)) this.keep(spelling, [this.notes.start])
      }
    }
  }

  /** A path that is known already. */
  path(path: string) {
    this.keep(path, [])
  }

  private pattern(text: string, places: Places) {
    // The pattern may be the very rule that a person wrote.
    for (const spelling of [...spellings(text), /^[^*?[]*/.exec(text)?.[0] ?? ''])
      this.keep(spelling, places)
    const { found: names, near } = this.notes.matches(text, places)
    for (const name of names.length > 0 ? names : near) this.keep(name, places)
  }

  /**
   * Notes the names that a word with an unknown part may have all the same: `$x/infra/a` ends in
   * `infra/a`.
   */
  private unknown(source: string, places: Places) {
    const [head = '', ...rest] = holes(source).split(HOLE)
    if (/[/=]/.test(head)) for (const spelling of spellings(head)) this.keep(spelling, places)
    for (const end of rest) {
      if (!/^\/+./.test(end)) continue
      const tail = end.replace(/^\/+/, '')
      this.keep(tail, places)
      this.keep(tail.replace(/:.*$/s, ''), places)
    }
    for (const spelling of spellings([head, ...rest].join('x'))) this.keep(spelling, places)
  }

  private keep(text: string, places: Places) {
    if (text === '' || text.length > PATH_MAX || text.includes('\n')) return
    const bases = [...places, this.notes.start].filter((place) => place !== ANYWHERE)
    for (const path of joinAll(text, bases)) {
      if (this.all.size < NAMES_MAX) this.all.add(path)
      else this.isFull = true
    }
  }
}

/** The source of a word without quotes; `HOLE` stands for each part that is not known. */
function holes(source: string): string {
  let text = source
  for (let depth = 0; depth < 4; depth++) {
    text = text.replace(/\$\([^()]*\)|`[^`]*`|\$\{[^{}]*\}/g, HOLE)
  }
  return text.replace(/\$\w+|\$[@*#?$!-]/g, HOLE).replace(/["'\\]/g, '')
}

/** `--output=a`, `of=a`, `@a`, `HEAD:a`, `-oa`: the part after a sign may be the path. */
function spellings(text: string): string[] {
  const forms = [text]
  const behind = /^[^=:@]*[=:@]+(.+)$/s.exec(text)?.[1]
  if (behind !== undefined) forms.push(behind)
  // `:1:a` and `stash@{0}:a` are files of git, too.
  const last = /[=:@].*:([^:]+)$/s.exec(text)?.[1]
  if (last !== undefined) forms.push(last)
  // `/a:/b` mounts `/a` in a container.
  const before = /^([/.~][^:]*):/.exec(text)?.[1]
  if (before !== undefined) forms.push(before)
  if (/^-[A-Za-z]./.test(text)) forms.push(text.slice(2))
  const bare = text.replace(/^[\u2018-\u201F]+|[\u2018-\u201F]+$/g, '')
  if (bare !== text) forms.push(bare)
  return forms
}
