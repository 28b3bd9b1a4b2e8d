import { hasOption, hasSwitch } from './pattern.ts'
import type { TableWord } from './words.ts'

const UPLOAD = 'This sends data to another machine.'
const SECRET = 'This sends a secret of the environment to another machine.'
const MADE = 'This sends the output of a command to another machine.'
const COPY = 'This copies files to another machine.'
const STORE = 'This copies files to storage elsewhere.'
const REFSPEC = 'This overwrites or deletes branches on the server.'
const FETCHED = 'This overwrites branches here; their commits may be nowhere else.'
const HISTORY = 'This sends the history of the repository to an address.'

const CURL_SENDS =
  '-d|-F|-T|--data|--data-raw|--data-binary|--data-ascii|--data-urlencode|--json|--form|--form-string|--upload-file|--url-query'
const WGET_SENDS = '--post-data|--post-file|--body-data|--body-file|--method'
// With these options the address does not show where the data go.
const DETOURS = '-x|-K|--proxy|--preproxy|--connect-to|--resolve|--config|--next|-e|--execute'
const METHOD = /^(-X=?|--request=?|--method=?)?(POST|PUT|PATCH|DELETE)$/

type Transfer = { why: string; parts: TableWord[] } | undefined

/** Finds a command that sends data away, if that depends on more than the words of the command. */
export function transfers(program: string, words: readonly TableWord[]): Transfer {
  switch (program) {
    case 'curl':
      return request(words, sends(words, CURL_SENDS))
    case 'wget':
    case 'wget2':
      return request(words, sends(words, WGET_SENDS))
    case 'http':
    case 'https':
    case 'xh':
      return request(
        words,
        words.filter(({ text }) => METHOD.test(text) || /^[\w-]+(:=|=|@)/.test(text)),
      )
    case 'scp':
    case 'rsync':
      return copies(program, words)
    case 'aws':
      return toStorage(words)
    case 'git':
      return pushed(words) ?? fetched(words)
    default:
      return undefined
  }
}

function sends(words: readonly TableWord[], options: string): TableWord[] {
  return words.filter(
    (word, at) =>
      // `-H @file`: its lines are sent.
      (/^(-\w*H|--header|--proxy-header)$/.test(words[at - 1]?.text ?? '') &&
        /^@/.test(word.text)) ||
      /^(-\w*H|--(proxy-)?header=)@/.test(word.text) ||
      hasOption([word], options) ||
      /^-[a-zA-Z]*[dFT]./.test(word.text) ||
      METHOD.test(word.text),
  )
}

function request(words: readonly TableWord[], sending: TableWord[]): Transfer {
  const secrets = words.filter(({ text }) => SECRET_NAME.test(text))
  if (secrets.length > 0) return { why: SECRET, parts: secrets }
  const generated = words.filter(({ text }) => /\$\(|`|<\(/.test(text))
  if (generated.length > 0) return { why: MADE, parts: generated }
  if (sending.length === 0 || staysHere(words)) return undefined
  return { why: UPLOAD, parts: sending }
}

const SECRET_NAME =
  /\$\{?\w*(TOKEN|SECRET|PASS|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?|_KEY)\b/i

/** Every address is on this machine, and no option bypasses it. */
function staysHere(words: readonly TableWord[]): boolean {
  if (hasOption(words, DETOURS)) return false
  const addresses = words.filter(({ text }) =>
    /^(\w+:\/\/|(localhost|127\.|\[::1\])|[\w-]+(\.[\w-]+)+(:\d+)?(\/|$))/i.test(text),
  )
  return addresses.length > 0 && addresses.every(({ text }) => isHere(text))
}

function isHere(address: string): boolean {
  const url = URL.parse(/^\w+:\/\//.test(address) ? address : `http://${address}`)
  return url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}

/** The last argument of a copy is the destination. */
function copies(program: string, words: readonly TableWord[]): Transfer {
  if (program === 'rsync' && isDryRsync(words)) return undefined
  const to = words.findLast(({ text }) => !text.startsWith('-'))
  const isRemote = to && (/^[^/]{2,}:/.test(to.text) || /^rsync:\/\//.test(to.text))
  return isRemote ? { why: COPY, parts: [to] } : undefined
}

// Letters of rsync that take no value may stand together.
const RSYNC_LETTERS = /^-[acghilmnopqrtuvxzADHLPRSWX]+$/

function isDryRsync(words: readonly TableWord[]): boolean {
  const own = words.map(({ text }) => text)
  return own.some((text, at) => {
    const before = own[at - 1] ?? ''
    const mayBeValue = before.startsWith('-') && !RSYNC_LETTERS.test(before)
    return !mayBeValue && (text === '--dry-run' || (RSYNC_LETTERS.test(text) && text.includes('n')))
  })
}

function toStorage(words: readonly TableWord[]): Transfer {
  const [service, verb] = words.filter(({ text }) => /^(s3|cp|sync)$/.test(text))
  if (service?.text !== 's3' || !verb || hasSwitch(words, '--dryrun')) return undefined
  const places = words.filter(
    ({ text }) => !text.startsWith('-') && text !== 's3' && text !== verb.text,
  )
  const to = places.findLast(({ text }) => /^(s3:\/\/|[./~]|\w:|-$)/.test(text))
  return to?.text.startsWith('s3://') ? { why: STORE, parts: [verb, to] } : undefined
}

/** `+main` overwrites it, `:main` deletes it. */
function pushed(words: readonly TableWord[]): Transfer {
  const at = words.findIndex(({ text }) => text === 'push')
  if (at < 0 || hasSwitch(words, '-n|--dry-run')) return undefined
  const rest = words.slice(at + 1)
  const parts = rest.filter(({ text }) => /^[+:][\w/]/.test(text))
  if (parts.length > 0) return { why: REFSPEC, parts }
  // A remote has a name; a path or an address says where else it goes.
  const to = rest.find(({ text }) => !text.startsWith('-'))
  return to && /^[/~.]|:\/\/|^[\w.-]+@?[\w.-]*:.*\/|^[\w.-]+@[\w.-]+:/.test(to.text)
    ? { why: HISTORY, parts: [to] }
    : undefined
}

/** `+a:b` overwrites the branch b, but for those that stand for the branches of a remote. */
function fetched(words: readonly TableWord[]): Transfer {
  const at = words.findIndex(({ text }) => text === 'fetch' || text === 'pull')
  if (at < 0 || hasSwitch(words, '--dry-run')) return undefined
  const rest = words.slice(at + 1)
  const isForced = hasOption(rest, '-f|--force')
  const parts = rest.filter(({ text }) => {
    const [, plus, to] = /^(\+?)[^:\s]+:(?!\/\/)([\w/*.-]+)$/.exec(text) ?? []
    return to !== undefined && (plus === '+' || isForced) && !to.startsWith('refs/remotes/')
  })
  return parts.length > 0 ? { why: FETCHED, parts } : undefined
}
