import type { Clock } from './clock.ts'
import { isoTime, systemClock } from './clock.ts'
import { Failure } from './failure.ts'
import { redactSecrets } from './redact/redact.ts'
import { writeErrorLine } from './standard-streams.ts'
import { inColour } from './terminal/terminal.ts'
import { cleanLine, cutText } from './text.ts'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
export type LogFormat = 'pretty' | 'json'

/** The fields of a line besides its message; `error` may be anything that was thrown. */
type LogFields = Record<string, unknown>

export type Log = { [level in LogLevel]: (message: string, fields?: LogFields) => void }

/** A log that writes nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * A log that writes one line for each entry: words for people, or JSON. Secrets, and texts of
 * agents and people, never reach it: fields with such names are blanked, and so is anything in
 * other texts that looks like a secret.
 */
export function createLog(options: {
  format: LogFormat
  level: LogLevel
  write?: (line: string) => void
  clock?: Clock
  /** Shows the levels of warnings and errors in colour, in words for people. */
  colours?: boolean
}): Log {
  const { format, level, clock = systemClock, write = writeErrorLine, colours = false } = options
  const least = LOG_LEVELS.indexOf(level)
  const line = format === 'json' ? jsonLine : prettyLine(colours)

  function at(here: LogLevel): Log[LogLevel] {
    if (LOG_LEVELS.indexOf(here) < least) return () => {}
    return (message, fields = {}) => {
      const safeFields = redactFields(fields)
      write(line(isoTime(clock.now()), here, redactText(message), safeFields))
    }
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

type LoggedFields = Record<string, unknown>

function jsonLine(time: string, level: LogLevel, message: string, fields: LoggedFields): string {
  return JSON.stringify({ ...fields, time, level, message })
}

function prettyLine(colours: boolean): typeof jsonLine {
  return (time, level, message, fields) => {
    const fieldTexts = Object.entries(fields).map(([name, value]) => `${name}=${inWords(value)}`)
    const colour = level === 'error' ? 'red' : 'yellow'
    const isLoud = level === 'error' || level === 'warn'
    const levelText = inColour(colour, level.padEnd(5), colours && isLoud)
    return [time.slice(11, 23), levelText, message, ...fieldTexts].join(' ')
  }
}

function inWords(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[^\s="]+$/.test(text) ? text : JSON.stringify(text)
}

const BLANK = '[redacted]'

// Fields that carry a secret, or texts of agents and people.
const SECRET_NAMES =
  /authorization|cookie|token$|password|secret|^keys?$|p256dh|^auth$|endpoint|setuplink/i
const WRITTEN_NAMES =
  /^(question|questions|body|title|value|note|context|action|actionBody|blocker|intent|options|reason|doneWhen|promises|params|arguments)$/i

function redactFields(fields: LogFields): LoggedFields {
  const safeFields: LoggedFields = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    safeFields[cleanLine(name)] = isPrivate(name) ? BLANK : redactValue(value, 0)
  }
  return safeFields
}

function isPrivate(name: string): boolean {
  return SECRET_NAMES.test(name) || WRITTEN_NAMES.test(name)
}

const DEPTH_MAX = 4

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Error) return redactError(value, depth)
  if (value === null || typeof value !== 'object') return value
  if (depth >= DEPTH_MAX) return '…'
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      cleanLine(name),
      isPrivate(name) ? BLANK : redactValue(inner, depth + 1),
    ]),
  )
}

// Enough to recognise the statement.
const QUERY_MAX = 120

/** Identifies a bug without its data: the message of a failed query contains every parameter. */
function redactError(error: Error, depth: number): LoggedFields {
  const [first = ''] = error.message.split('\nparams:')
  const message = first.startsWith('Failed query:') ? cutText(first, QUERY_MAX) : first
  const code = error instanceof Failure ? error.code : (error as NodeJS.ErrnoException).code
  return {
    name: error.name,
    message: redactText(message),
    ...(code === undefined ? {} : { code }),
    ...(error instanceof Failure ? {} : { at: frames(error) }),
    ...(error.cause === undefined || depth >= DEPTH_MAX
      ? {}
      : { cause: redactValue(error.cause, depth + 1) }),
  }
}

const FRAMES_MAX = 6

function frames(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n')
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim())
}

const TEXT_MAX = 1_000

// In addition to secrets that are redacted everywhere: our own links, and anything that begins like
// one of our tokens.
const OUR_SECRETS: [RegExp, string][] = [
  [/\b(bk(?:at|rt|ac|cs)?_)[\w-]+/g, `$1${BLANK}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${BLANK}`],
  [/(\/(?:a|pair|setup)\/)[^/\s?#"]+/g, `$1${BLANK}`],
  [/([?&](?:token|code|key|setup|secret)=)[^&\s"▇]+/gi, `$1${BLANK}`],
]

function redactText(text: string): string {
  let safeText = redactSecrets(cleanLine(text), TEXT_MAX)
  for (const [secret, blank] of OUR_SECRETS) safeText = safeText.replace(secret, blank)
  return safeText
}
