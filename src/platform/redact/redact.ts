import { cutText } from '../text.ts'
import { isPlaceholder, isWrittenOut, looksRandom } from './secret-value.ts'

/**
 * Keys with a known form, each with its name. Each is only searched for at the beginning of a run
 * of characters, which keeps the work on hostile text linear.
 */
const KEY_SHAPES: Array<[RegExp, string]> = [
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, 'AWS access key'],
  [/(?<!\w)gh[pousr]_[A-Za-z0-9]{16,}/g, 'GitHub token'],
  [/(?<!\w)github_pat_\w{16,}/g, 'GitHub token'],
  [/(?<![\w-])gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\w.-]{16,}/g, 'GitLab token'],
  [/(?<![\w-])xox[a-z](?:\.xox[a-z])?-[\w-]{10,}/g, 'Slack token'],
  [/(?<![\w-])xapp-\d-[\w-]{10,}/g, 'Slack token'],
  [/(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{16,}/g, 'Slack webhook'],
  [/(?<=discord(?:app)?\.com\/api\/webhooks\/)\d+\/[\w-]{16,}/g, 'Discord webhook'],
  [/(?<![\w:])\d{8,10}:AA[\w-]{30,}/g, 'Telegram token'],
  [/(?<!\w)[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/g, 'Stripe key'],
  [/(?<![\w-])sk-ant-[\w-]{16,}/g, 'Anthropic key'],
  [/(?<![\w-])sk-or-[\w-]{16,}/g, 'OpenRouter key'],
  [/(?<![\w-])sk-(?:proj|svcacct|admin)-[\w-]{16,}/g, 'OpenAI key'],
  [/(?<![\w-])sk-[A-Za-z0-9]{20,}/g, 'API key'],
  [/(?<![\w-])AIza[\w-]{30,}/g, 'Google key'],
  [/(?<![\w-])ya29\.[\w-]{20,}/g, 'Google token'],
  [/(?<![\w-])GOCSPX-[\w-]{20,}/g, 'Google secret'],
  [/(?<!\w)npm_[A-Za-z0-9]{30,}/g, 'npm token'],
  [/(?<![\w-])pypi-AgE[\w-]{16,}/g, 'PyPI token'],
  [/(?<!\w)hf_[A-Za-z0-9]{30,}/g, 'Hugging Face token'],
  [/(?<![\w.])SG\.[\w-]{16,}\.[\w-]{16,}/g, 'SendGrid key'],
  [/(?<!\w)SK[0-9a-f]{32}(?!\w)/g, 'Twilio key'],
  // Also takes the characters after the hexadecimal digits: another key may follow directly, and
  // would no longer be recognised.
  [/(?<!\w)do[oprt]_v1_[0-9a-f]{32,}[\w-]*/g, 'DigitalOcean token'],
  [/(?<!\w)dckr_pat_[\w-]{20,}/g, 'Docker token'],
  [/(?<!\w)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}[\w-]*/g, 'Shopify token'],
  [/(?<!\w)glsa_\w{32,}/g, 'Grafana token'],
  [/(?<!\w)gsk_[A-Za-z0-9]{30,}/g, 'API key'],
  [/(?<!\w)lin_api_[A-Za-z0-9]{30,}/g, 'Linear key'],
  [/(?<![\w-])AGE-SECRET-KEY-1[A-Z0-9]{40,}/g, 'private key'],
  [/(?<!\w)bk(?:at|rt|ac|cs)?_[0-9A-Za-z]{32,}/g, 'Beckon token'],
  [/(?<!\w)whsec_[A-Za-z0-9+/=_-]{20,}/g, 'webhook secret'],
  [/(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?(?:\.[\w-]+)*/g, 'JWT'],
]

// How much of a text is read, in UTF-16 units; limits the work.
const READ_MAX = 65_536
// Near the end of the text a secret may be cut off, and no longer match.
const TAIL = 4_096
// Text next to a secret may be a secret itself, which only shows once the first is gone.
const ROUNDS_MAX = 4

/**
 * The first `most` code points of `text`, with `▇▇▇ (what it was)` in place of each secret. It
 * redacts before it cuts, so that no half of a secret stays. The work is linear in the length of
 * the text, and doing it twice changes nothing.
 */
export function redactSecrets(text: string, most = Number.POSITIVE_INFINITY): string {
  const whole = text.length <= READ_MAX
  let shown = whole ? text : text.slice(0, READ_MAX)
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = shown
    for (const pass of PASSES) shown = pass(shown)
    if (shown === before) break
  }
  return cutText(whole ? shown : shown.slice(0, -TAIL), most)
}

/** The text of a redaction; pages draw it as a bar with the reason beside it. */
function redacted(what: string): string {
  return `▇▇▇ (${what})`
}

type Pass = (text: string) => string

function each(pattern: RegExp, what: string): Pass {
  return (text) => text.replace(pattern, redacted(what))
}

/** `pattern` captures the text before the secret, and the secret. */
function after(pattern: RegExp, what: string, isSecret: (value: string) => boolean): Pass {
  const bar = redacted(what)
  return (text) =>
    text.replace(pattern, (match, before: string, value: string) =>
      isSecret(value) ? before + bar : match,
    )
}

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
const BEARER = /((?<!\w)(?:bearer|basic)[ \t]{1,3})([\w.~+/=-]+)/gi
const COOKIE = headerPatterns('(?<![\\w-])(?:set-)?cookie', '[:=]', '', '[^\\s="\'`\\\\;,(){}]+=')
const COOKIE_OPTION = [
  new RegExp(
    `([ \\t](?:--cookie|-b)[ =]["'])([^\\s="'\`\\\\;,(){}]+=${QUOTED_REST}+)(?=["'])`,
    'gi',
  ),
  new RegExp(`([ \\t](?:--cookie|-b)[ =]["']?)([^\\s="'\`\\\\;,(){}&|<>]+=${BARE}+)`, 'gi'),
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
const SSHPASS = /((?<!\w)sshpass[ \t]{1,3}-p[ \t]{0,3}["']?)([^\s"'`;&|<>()]+)/g

const NAMES =
  '(?:passwords?|passwd|passphrase|(?<=[_-])(?:pass|pwd|pw)|secret|token|credentials?|(?<=_)auth|(?:api|access|account|private|secret|encryption|signing|master|auth|app)[_-]?key)'
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
    `(${NAMES})(${IS})([^\\s"'\`\\\\&#;|<>()]+)(?![^\\s"'\`\\\\&#;|<>)])(?=(["'\`\\\\&#\\n]|[ \\t]+[#\\n]|[ \\t]*$)|)`,
    'gi',
  ),
]
const FLAG = new RegExp(
  `(?<![\\w-])(--?(?:[a-z0-9]{1,30}-){0,4}${NAMES})(=|[ \\t]{1,3})(["']?[^\\s"'\`;&|<>()]+)`,
  'gi',
)

function assignments(text: string): string {
  let shown = text.replace(FLAG, (match, name: string, is: string, given: string) => {
    const [, quote = '', value = ''] = /^(["']?)(.*)$/.exec(given) ?? []
    return isPlaceholder(value) || isProse(value, is) ? match : name + is + quote + barFor(name)
  })
  for (const pattern of ASSIGNED) {
    shown = shown.replace(
      pattern,
      (match, name: string, is: string, value: string, end: string | undefined, at: number) => {
        const before = shown.slice(Math.max(0, at - 1), at)
        const written = isWrittenOut({ name, is, value, before, ends: end !== undefined })
        return written ? name + is + barFor(name) : match
      },
    )
  }
  return shown
}

// `--token is not set` in a help text.
const PROSE =
  /^(?:and|or|to|is|are|for|flag|option|options|argument|parameter|value|as|if|with|in|from|the|an?|on|when|instead|must|not|may|can|has|was|will|-.*)$/i

function isProse(value: string, is: string): boolean {
  return is !== '=' && (PROSE.test(value) || value.length < 3)
}

function barFor(name: string): string {
  const [kind = 'secret'] = /pass|pwd|pw$|token|key/i.exec(name) ?? []
  return redacted(KINDS[kind.toLowerCase()] ?? 'secret')
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

const PASSES: readonly Pass[] = [
  each(PRIVATE_KEY, 'private key'),
  ...AUTHORIZATION.map((pattern) => after(pattern, 'authorization', isHeader)),
  ...[...COOKIE, ...COOKIE_OPTION].map((pattern) => after(pattern, 'cookie', isCookie)),
  ...KEY_SHAPES.map(([pattern, what]) => each(pattern, what)),
  after(BEARER, 'authorization', isHeader),
  ...URL_PASSWORD.map((pattern) =>
    after(pattern, 'URL password', (value) => !isPlaceholder(value)),
  ),
  after(CURL_USER, 'password', (value) => !isPlaceholder(value)),
  after(SSHPASS, 'password', (value) => !isPlaceholder(value)),
  assignments,
]
