import { WrongUsage } from '../../platform/config/wrong-usage.ts'
import { isOneLine } from './manager.ts'

/**
 * A word of `ExecStart=` (systemd.service(5), "Command lines"): `%` begins a specifier, `$` a
 * variable, `\` an escape. Throws `WrongUsage` for text of more than one line, and for what cannot
 * be a program.
 */
export function quoteForSystemd(word: string, position: 'program' | 'argument'): string {
  if (!isOneLine(word)) {
    throw new WrongUsage(`${JSON.stringify(word)} has a line break or another control character.`)
  }
  if (position === 'program' && /["'\\]/.test(word)) {
    throw new WrongUsage(`systemd runs no program whose path has quotes or backslashes: ${word}`)
  }
  const plain = word.replaceAll('%', '%%')
  // The path of the program is used as it is; variables are only expanded after it.
  const escaped = position === 'program' ? plain : plain.replaceAll('$', '$$$$')
  if (/^[\w%$+:,./@=^~-]+$/.test(escaped)) return escaped
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** The words of a command line of a unit; undefined if it is not one that we would write. */
export function readSystemdWords(line: string): string[] | undefined {
  const found: string[] = []
  const word = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'\\]+))(?=\s|$)/y
  while (word.lastIndex < line.trimEnd().length) {
    const match = word.exec(line)
    if (!match) return undefined
    const raw = match[1] ?? match[2] ?? match[3] ?? ''
    const text = raw.replace(/\\(["'\\])/g, '$1').replaceAll('%%', '%')
    found.push(found.length === 0 ? text : text.replaceAll('$$', '$'))
  }
  return found.length === 0 ? undefined : found
}
