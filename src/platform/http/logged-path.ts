import { ID_BODY } from '../ids.ts'

// Known parts of our own addresses: words, versions of the API, names of files.
const WORD = /^(v\d(\.\d)?|[a-z][a-z-]{0,23}(\.[a-z]{2,11})?)$/

/**
 * A path as the log may show it: its known words and ids. Any other part may be a token or a code,
 * and becomes `…`.
 */
export function loggedPath(path: string): string {
  return path
    .split('/')
    .map((part) => (part === '' || WORD.test(part) || isId(part) ? part : '…'))
    .join('/')
}

function isId(part: string): boolean {
  const [prefix = '', body = ''] = part.split('_')
  return /^[a-z]{1,4}$/.test(prefix) && ID_BODY.test(body) && part === `${prefix}_${body}`
}
