import { findKeys } from './find-keys.ts'
import type { SecretSpan } from './secret-span.ts'
import { isPlaceholder, isWrittenOut, looksRandom } from './secret-value.ts'

/** Finds secrets of one kind in a text, in its order. */
type Finder = (text: string) => SecretSpan[]

function each(pattern: RegExp, what: string): Finder {
  return (text) =>
    [...text.matchAll(pattern)].map(({ index, 0: match }) => ({
      from: index,
      to: index + match.length,
      what,
    }))
}

/** `pattern` captures the text before the secret, and the secret. */
function after(pattern: RegExp, what: string, isSecret: (value: string) => boolean): Finder {
  return (text) =>
    [...text.matchAll(pattern)].flatMap(({ index, 1: before = '', 2: value = '' }) => {
      const from = index + before.length
      return isSecret(value) ? [{ from, to: from + value.length, what }] : []
    })
}

// Keys that are recognised by something in the middle or at the end.
const INNER_KEYS: Array<[RegExp, string]> = [
  [/(?<=^|[^\w:]|\/bot)\d{8,10}:AA[\w-]{30,}/g, 'Telegram token'],
  [/(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4,}/g, 'Azure DevOps token'],
  [/(?<![\w.~-])[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/g, 'Azure secret'],
  [/(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/g, 'Terraform token'],
  [/(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![\w-])/g, 'Mailchimp key'],
]

// Where a value without quotes ends: what follows may be the rest of a command.
const BARE = '[^\\s"\'`\\\\;&|<>()]'
const QUOTED_REST = '[^\\n"\'`\\\\]'

// A key without its end was cut off: what follows is part of it as long as it is base64.
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=[^A-Za-z0-9]{0,20}(?:Proc-Type|Comment|Version|[\w+/=]{16}))(?:[\s\S]{0,8000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\s|\\[nr]|["',>#*])*(?:(?:Proc-Type|DEK-Info|Comment|Version)[^\n\\]{0,200}|[\w+/=]{16,}))+)/g

const SCHEME =
  '(?:(?:basic|bearer|digest|token|apikey|negotiate|dpop|hawk|oauth|aws4-hmac-sha256)[ \\t]{1,3})?'
// The header begins its line or a quote: a value of several parts belongs to it as a whole.
const HEADER = '(?<=(?:["\'`]|^[ \\t<>]{0,8})[\\w-]{0,20})'
const AUTHORIZATION = headerPatterns('authorization', '(?:=>|[:=,])', SCHEME, '')
// Such a value has several parts, of which some are in quotes of their own.
const PARAMETER = '\\w{1,30}=(?:\\\\?"[^"\\n\\\\]{0,500}\\\\?"|[^\\s,"\'`;&|<>()]{1,500})'
const AUTHORIZATION_PARAMETERS = new RegExp(
  `(authorization["']?[ \\t]{0,3}[:=][ \\t]{0,3}["']?(?:digest|hawk|oauth|aws4-hmac-sha256)[ \\t]{1,3})(${PARAMETER}(?:,[ \\t]{0,3}${PARAMETER}){0,30})`,
  'gi',
)
const BEARER = /((?<!\w)(?:bearer|basic)[ \t]{1,3})([\w.~+/=-]+)/gi
const COOKIE = headerPatterns('(?<![\\w-])(?:set-)?cookie', '[:=]', '', '[^\\s="\'`\\\\;,(){}]+=')
const CURL_COOKIE = '((?<!\\w)curl(?=[ \\t])[^\\n;|&]{0,400}?[ \\t](?:--cookie|-b)[ =]?'
const COOKIE_OPTION = [
  new RegExp(`${CURL_COOKIE}["'])([^\\s="'\`\\\\;,(){}]+=${QUOTED_REST}+)(?=["'])`, 'gi'),
  new RegExp(`${CURL_COOKIE}["']?)([^\\s="'\`\\\\;,(){}&|<>]+=${BARE}+)`, 'gi'),
]

/** A header with its value in quotes, as a line of its own or inside quotes, and within other text. */
function headerPatterns(name: string, is: string, scheme: string, first: string): RegExp[] {
  const between = `\\\\?["'\`]?[ \\t]{0,3}${is}[ \\t]{0,3}`
  const start = first || '(?=[^\\s])'
  return [
    new RegExp(
      `(${name}${between}\\\\?["'\`]${scheme})(${start}${QUOTED_REST}+)(?=["'\`\\\\])`,
      'gi',
    ),
    new RegExp(
      `(${HEADER}${name}[ \\t]{0,3}:[ \\t]{0,3}${scheme})(${start}[^\\n"'\`\\\\&|<>()]+)`,
      'gim',
    ),
    new RegExp(`(${name}${between}\\\\?["'\`]?${scheme})(${first}${BARE}+)`, 'gi'),
  ]
}

// `scheme://user:password@`; a password may hold an @ of its own.
const URL_PASSWORD = [
  /((?<=["'][\w+.-]{1,20}):\/\/[^\s/:@?#"'`<>]{0,200}:)([^\s/"'`<>]+)(?=@)/g,
  /(:\/\/[^\s/:@?#"'`<>]{0,200}:)([^\s/"'`<>;&|()]+)(?=@)/g,
]
const CURL_USER =
  /((?<!\w)curl(?=[ \t])[^\n]{0,400}?[ \t](?:-u|--user)[ =]?["']?[^\s:"'/]{1,100}:)([^\s"'`;&|<>()]+)/g
// `machine h login x password y` of a netrc file, and what SQL has in front of one.
const NETRC =
  /((?<!\w)machine[ \t]{1,9}\S{1,100}[ \t\n]{1,9}login[ \t]{1,9}\S{1,100}[ \t\n]{1,9}password[ \t\n]{1,9})([^\s;&|<>()"'`]+)/g
const SQL =
  /((?<!\w)(?:identified[ \t]{1,9}by|with[ \t]{1,9}(?:encrypted[ \t]{1,9})?password)[ \t]{1,9}')([^'\n]+)(?=')/gi
// The words that a wallet is made from.
const SEED =
  /((?<!\w)(?:mnemonic|(?:seed|recovery)[ _-]?phrase)["']?(?:[ \t]{0,3}[:=])?[ \t]{0,3}["']?)((?:[a-z]{3,8}[ \t]){11,23}[a-z]{3,8}(?![a-z]))/gi
const NAMES =
  '(?:(?<![A-Za-z])(?:ssh)?pass(?==)|passwords?|passwd|passphrase|(?<=[_-])(?:pass|pwd|pw)|secret|token|credentials?|(?<=_)auth|(?:api|access|account|private|secret|encryption|signing|master|auth|app)[_-]?key)'
// `npm config set //host/:_authToken X`
const SETTING = new RegExp(
  `((?<!\\w)(?:(?:npm|pnpm|yarn)[ \\t]+set|config[ \\t]+(?:set|add)|git[ \\t]+config)[ \\t][^\\n;|&]{0,200}?(?:${NAMES}|auth-?token|_auth)["']?[ \\t]{1,9}["']?)([^\\s"'\`;&|<>()-][^\\s"'\`;&|<>()]*)`,
  'gi',
)
const SSHPASS = /((?<!\w)sshpass[ \t]{1,3}-p[ \t]{0,3}["']?)([^\s"'`;&|<>()]+)/g

const IS = '\\\\?["\'`]?\\]?[ \\t]{0,3}(?:=>|:=|[:=])[ \\t]{0,3}'
// An escaped quote, as in JSON inside JSON, comes first, because the others would end too early.
const QUOTED = [
  '\\\\"([^"\\\\\\n]+)',
  '"((?:[^"\\\\\\n]|\\\\[^\\n])+)',
  "'((?:[^'\\\\\\n]|\\\\[^\\n])+)",
  '`([^`\\n]+)',
]
const ASSIGNED = [
  ...QUOTED.map((value) => {
    const [open = '', rest = ''] = [
      value.slice(0, value.indexOf('(')),
      value.slice(value.indexOf('(')),
    ]
    return new RegExp(`(${NAMES})(${IS}${open})${rest}(?=${open})()`, 'gi')
  }),
  new RegExp(
    `(${NAMES})(${IS})([^\\s"'\`\\\\&#;|<>()]+)(?![^\\s"'\`\\\\&#;|<>)])(?=(["'\`\\\\&#\\n]|[ \\t]+[#\\n]|[ \\t]*$|[ \\t]+[a-z_]{1,30}=\\S)|)`,
    'gi',
  ),
]
const FLAG = new RegExp(
  `(?<![\\w-])(--?(?:[a-z0-9]{1,30}-){0,4}${NAMES})(=|[ \\t]{1,3})(?:["']([^"'\\n\`$]{1,200})(?=["'])|(["']?[^\\s"'\`;&|<>()]+))`,
  'gi',
)

function findFlags(text: string): SecretSpan[] {
  return [...text.matchAll(FLAG)].flatMap(
    ({ index, 0: match, 1: name = '', 2: is = '', 3: quoted, 4: unquoted = '' }) => {
      const value = quoted ?? unquoted.replace(/^["']/, '')
      const to = index + match.length
      const isSecret = !isPlaceholder(value) && !isProse(value, is)
      return isSecret ? [{ from: to - value.length, to, what: kindOf(name) }] : []
    },
  )
}

function assigned(pattern: RegExp): Finder {
  return (text) => {
    const secrets: SecretSpan[] = []
    const own = new RegExp(pattern)
    for (let match = own.exec(text); match; match = own.exec(text)) {
      const { index, 1: name = '', 2: is = '', 3: whole = '', 4: end } = match
      const from = index + name.length + is.length
      const before = text.slice(Math.max(0, index - 1), index)
      const value = whole.slice(0, replacedLength(text, index, whole))
      if (value !== whole) own.lastIndex = from + value.length
      const written = isWrittenOut({ name, is, value, before, ends: end !== undefined })
      if (written) secrets.push({ from, to: from + value.length, what: kindOf(name) })
    }
    return secrets
  }
}

const REPLACE =
  /(?<!\w)(?:g?sed|perl)[ \t][^\n]{0,200}(?<=[\s"';])[\d,$]{0,20}s([/|#,@!])\^?(?:[^\n"';]{0,200}\1)?$/
const REPLACE_MAX = 480

/** How much of a value stands before the sign that ends it in `s/password=…/…/` of sed. */
function replacedLength(text: string, index: number, value: string): number {
  if (!/[/|#,@!^]/.test(text.charAt(index - 1))) return value.length
  const [, sign = ''] = REPLACE.exec(text.slice(Math.max(0, index - REPLACE_MAX), index)) ?? []
  const at = sign === '' ? -1 : value.indexOf(sign)
  return at < 0 ? value.length : at
}

// `--token is not set` in a help text.
const PROSE =
  /^(?:and|or|to|is|are|for|flag|option|options|argument|parameter|value|as|if|with|in|from|the|an?|on|when|instead|must|not|may|can|has|was|will|-.*)$/i

function isProse(value: string, is: string): boolean {
  const [first = ''] = value.split(' ', 1)
  return is !== '=' && (PROSE.test(first) || value.length < 3)
}

function kindOf(name: string): string {
  const [kind = 'secret'] = /pass|pwd|pw$|token|key/i.exec(name) ?? []
  return KINDS[kind.toLowerCase()] ?? 'secret'
}

const KINDS: Record<string, string> = {
  pass: 'password',
  pwd: 'password',
  pw: 'password',
  token: 'token',
  key: 'key',
}

function isHeader(value: string): boolean {
  return !isPlaceholder(value) && looksRandom(value)
}

function isCookie(value: string): boolean {
  return !isPlaceholder(value.slice(value.indexOf('=') + 1))
}

/** Looks for every kind of secret in turn: each sees what those before it left. */
export const FINDERS: readonly Finder[] = [
  each(PRIVATE_KEY, 'private key'),
  after(AUTHORIZATION_PARAMETERS, 'authorization', () => true),
  ...AUTHORIZATION.map((pattern) => after(pattern, 'authorization', isHeader)),
  ...[...COOKIE, ...COOKIE_OPTION].map((pattern) => after(pattern, 'cookie', isCookie)),
  findKeys,
  ...INNER_KEYS.map(([pattern, what]) => each(pattern, what)),
  after(BEARER, 'authorization', isHeader),
  ...URL_PASSWORD.map((pattern) =>
    after(pattern, 'URL password', (value) => !isPlaceholder(value)),
  ),
  after(CURL_USER, 'password', (value) => !isPlaceholder(value)),
  after(SSHPASS, 'password', (value) => !isPlaceholder(value)),
  after(SETTING, 'token', (value) => !isPlaceholder(value) && !isProse(value, ' ')),
  after(NETRC, 'password', (value) => !isPlaceholder(value)),
  after(SQL, 'password', (value) => !isPlaceholder(value)),
  after(SEED, 'seed phrase', () => true),
  findFlags,
  ...ASSIGNED.map(assigned),
]
