import { readFed } from './fed.ts'
import { type Arg, type Places, UNKNOWN, union } from './notes.ts'
import { HOLE, quote } from './word-text.ts'
import { Words } from './words.ts'

const UNKNOWN_ARG: Arg = { text: '', raw: HOLE, why: 'what a loop goes over' }

/** Follows commands that are read more than once: `for`, `while` and `until`. */
export abstract class Loops extends Words {
  /** The commands up to the word that closes them. */
  protected abstract list(): void

  protected loop(start: Places, over: boolean) {
    this.at++
    readFed(this.said, this.notes, start)
    const words = over ? this.loopWords(start) : undefined
    const { variables } = this.shell
    const before = variables.now()
    if (words) this.rounds(words, start)
    else this.repeated(undefined, () => this.round(() => this.list()))
    // The body may not have run at all.
    variables.merge(before)
    this.closeWord('done')
    // The next round would start in another folder.
    if (this.places.some((place) => !start.includes(place))) {
      this.notes.opaque('a loop changes its folder')
      this.places = [UNKNOWN]
    }
  }

  /** The words that `for` iterates over; a bare `do` ends them. */
  private loopWords(start: Places): { name: string; values: Arg[] } {
    const first = this.tokens[this.at]
    const name = first?.is === 'word' && /^[A-Za-z_]\w*$/.test(first.raw) ? first.raw : ''
    const values: Arg[] = []
    while (this.at < this.tokens.length && this.name() !== 'do') {
      this.substitutions()
      if (this.name() === 'do') break
      const token = this.tokens[this.at++]
      if (token?.is !== 'word') continue
      const args = this.expand(token, start)
      for (const arg of args) this.notes.literal(arg, start)
      if (token !== first) values.push(...args)
    }
    return { name, values: values[0]?.raw === 'in' ? values.slice(1) : [{ ...UNKNOWN_ARG }] }
  }

  /** Reads the body once for each value, as far as they are known and not too many. */
  private rounds({ name, values }: { name: string; values: Arg[] }, start: Places) {
    const known = values.every(({ why }) => why === undefined)
    const each = known && this.notes.mayRepeat(values.length) ? values : [UNKNOWN_ARG]
    const begin = this.at
    let ends: Places = []
    for (const { text, why } of each.length > 0 ? each : [UNKNOWN_ARG]) {
      this.at = begin
      this.places = start
      this.repeated(name, () => {
        this.shell.variables.set(name, why === undefined ? quote(text) : undefined)
        this.round()
      })
      ends = union(ends, this.places)
    }
    this.places = ends
  }

  /** If variables change from round to round, the body is read once more with those unknown. */
  private repeated(own: string | undefined, body: () => void) {
    const { variables } = this.shell
    const begin = this.at
    const places = this.places
    const before = variables.now()
    body()
    const changed = variables.changedSince(before).filter((name) => name !== own)
    if (changed.length === 0) return
    if (!this.notes.mayRepeat(1)) {
      variables.stop()
      this.notes.opaque('it repeats itself too often')
      return
    }
    this.at = begin
    this.places = places
    variables.restore(before)
    for (const name of changed) variables.set(name, undefined)
    body()
    for (const name of changed) variables.set(name, undefined)
  }

  /** The condition, and the commands between `do` and `done`. */
  private round(tested?: () => void) {
    this.notes.again++
    tested?.()
    this.closeWord('do')
    this.list()
    this.notes.again--
  }

  protected substitutions() {
    for (let token = this.tokens[this.at]; token?.is === 'run'; token = this.tokens[++this.at])
      this.run(token.tokens, this.places, this.shell)
  }
}
