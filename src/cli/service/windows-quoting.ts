/**
 * Joins words into one Windows command line, as `CommandLineToArgvW` splits it again: backslashes
 * only count before a quote.
 */
export function windowsCommandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  if (/^[^\s"]+$/.test(word)) return word
  const inside = word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')
  return `"${inside}"`
}

/** The words of a command line, by the same rules. */
export function readWindowsCommandLine(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  for (const [, slashes = '', mark = ''] of line.matchAll(/(\\*)("|[^\\]|$)/gs)) {
    const isPlain = mark !== '"'
    if (slashes) word = (word ?? '') + slashes.slice(0, isPlain ? undefined : slashes.length >> 1)
    if (isPlain && !isQuoted && /^\s?$/.test(mark)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (isPlain || slashes.length % 2 === 1) {
      word = (word ?? '') + mark
    } else {
      word ??= ''
      isQuoted = !isQuoted
    }
  }
  return words
}
