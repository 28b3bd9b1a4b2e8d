import type { Call } from './call.ts'
import type { Arg } from './notes.ts'
import { words } from './options.ts'

type Grammar = {
  /** Letters of options without a value, after a dash. */
  letters: RegExp
  /** The same, and `f`, whose value is the next word. */
  withFile?: RegExp
  /** The same as `withFile`, as a first word without a dash. */
  undashed?: RegExp
  long: readonly string[]
}

// Only options that change nothing about what is left out, and that every version reads alike.
const TAR: Grammar = {
  letters: /^-[cruxtzjJavpkmS]+$/,
  withFile: /^-[cruxtzjJavpkmS]*f$/,
  undashed: /^[cruxtzjJavpkmS]*f$/,
  long: words('--create --append --update --extract --list --gzip --bzip2 --xz --zstd --verbose'),
}
const RSYNC: Grammar = {
  letters: /^-[avrlptgoDzhnuPHxciq]+$/,
  long: words(
    '--archive --recursive --verbose --compress --delete --progress --stats --dry-run --human-readable --partial --checksum --update --quiet --itemize-changes',
  ),
}
const GRAMMARS = new Map([
  ['tar', TAR],
  ['bsdtar', TAR],
  ['rsync', RSYNC],
])

// Left out wherever it is, with everything in it: not a pattern, not a path, no sign of a filter.
const NAME = /^(?=\.{0,2}\w)[\w.][\w.@-]*$/

/**
 * The words of `tar` and `rsync` that only name what is left out, such as `.env` in
 * `tar --exclude=.env -czf a.tgz .`. None unless every word of the command is understood: another
 * option could take a word as its value, or bring a name back.
 */
export function wordsLeftOut(all: readonly Arg[], { shell }: Call): ReadonlySet<Arg> {
  const none = new Set<Arg>()
  const [first, ...args] = all
  const grammar = GRAMMARS.get(first?.text ?? '')
  if (!grammar || shell.aliases.size > 0 || shell.functions.size > 0) return none
  if (!shell.notes.keepsOptions || all.some(({ why }) => why !== undefined)) return none
  const found = new Set<Arg>()
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] as Arg
    const { text } = arg
    const value = args[at + 1]
    if (text === '--exclude' || text.startsWith('--exclude=')) {
      const names = text === '--exclude' ? value : arg
      if (!names || !NAME.test(text === '--exclude' ? names.text : text.slice(10))) return none
      found.add(names)
      if (names !== arg) at++
    } else if (grammar.withFile?.test(text) || (at === 0 && grammar.undashed?.test(text))) {
      if (value === undefined || /^-./.test(value.text)) return none
      at++
    } else if (text.startsWith('-')) {
      if (!grammar.letters.test(text) && !grammar.long.includes(text)) return none
    } else break
  }
  // What follows the first file may be read as one more.
  return args.slice(at).some(({ text }) => text.startsWith('-')) ? none : found
}
