import { cutText } from '../../platform/text.ts'
import { redactedLine } from '../wire/action-line.ts'

const SHOWN_MAX = 500

/** The command line or URL of a server for people: on one line, secrets redacted. */
export function serverLine(server: string): string {
  return cutText(redactedLine(wordsOf(server) ?? server, { isShell: false }), SHOWN_MAX)
}

/** The words of a command line that is written as JSON. */
function wordsOf(server: string): string | undefined {
  try {
    const words: unknown = JSON.parse(server)
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return undefined
    return words
      .map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : JSON.stringify(word)))
      .join(' ')
  } catch {
    return undefined
  }
}
