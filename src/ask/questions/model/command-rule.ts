import type { ReadingSummary } from '../../wire/reading/summary.ts'

type Command = ReadingSummary['commands'][number]

/**
 * Returns true if a rule for a part of a command (`npm test*`, `./scripts/*`, `cat src/*`) covers
 * every command of a call, by words: `npm test*` is the program npm, the word test, then any words
 * that are known. A beginning with a slash covers paths below it.
 */
export function coversCommands(pattern: string, { commands }: ReadingSummary): boolean {
  return commands.length > 0 && commands.every((command) => covers(pattern, command))
}

function covers(pattern: string, { program, words }: Command): boolean {
  if (words.some(({ sure }) => sure === 'part')) return false
  const argv = [program, ...words.map(({ text, base }) => (base === 'home' ? `~${text}` : text))]
  const begin = pattern.slice(0, -1)
  const expectedWords = begin.split(/\s+/).filter((word) => word !== '')
  const last = expectedWords.at(-1) ?? ''
  const isWhole = /\s$/.test(begin) || !last.includes('/')
  const exact = isWhole && !/[:=]$/.test(last) ? expectedWords : expectedWords.slice(0, -1)
  if (!exact.every((word, at) => word === argv[at])) return false
  const rest = argv.slice(exact.length)
  if (exact.length === expectedWords.length) return true
  if (!last.includes('/')) return rest[0]?.startsWith(last) === true
  const paths = exact.length === 0 ? rest.slice(0, 1) : rest.filter((word) => !word.startsWith('-'))
  return paths.length > 0 && paths.every((path) => isBelow(path, last))
}

/** `./scripts/../x` is not below `scripts/`. */
function isBelow(path: string, begin: string): boolean {
  const [own, folder] = [normal(path), normal(begin)]
  return own !== undefined && folder !== undefined && own.startsWith(folder)
}

/** The path without `.` and doubled slashes; undefined if it goes up. */
function normal(path: string): string | undefined {
  const parts = path.split('/')
  if (parts.includes('..')) return undefined
  const start = path.startsWith('/') ? '/' : ''
  const end = path.endsWith('/') ? '/' : ''
  return start + parts.filter((part) => part !== '' && part !== '.').join('/') + end
}
