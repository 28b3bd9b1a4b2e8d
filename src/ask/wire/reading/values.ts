import { isQuery } from './queries.ts'
import type { Word } from './reading.ts'
import type { Kind } from './row.ts'
import { isKnownVariable, isSwitch } from './variables.ts'

type Places = readonly string[] | undefined
type Check = (word: Word, places: Places) => boolean

/** The allowed values of a kind. A kind without an entry may be anything. */
export const CHECKS: Partial<Record<Kind, Check>> = {
  query: isQuery,
  expression: isExpression,
  goal: isGoal,
  project: isInProject,
  package: isPackage,
  url: isWebAddress,
  format: ({ sure, text }) => sure === 'text' && /^(?!@)[^%]*(%(\{[\w.]+\}|%)[^%]*)*$/.test(text),
  phase: ({ sure, text }) => sure === 'text' && PHASE.test(text),
  flags: areFlags,
  // Without a plus it sets the clock.
  date: ({ sure, text, prefix = '' }) => (sure === 'text' ? text : prefix).startsWith('+'),
  // `ext::` starts a program.
  address: ({ sure, text }) => sure === 'text' && !text.includes('::'),
  // tar reaches `host:file` through another program.
  archive: ({ sure, text }) => sure === 'names' || (sure === 'text' && !/^[^/]*:/.test(text)),
  // `sslkey=engine:x` loads a library.
  connection: ({ sure, text }) =>
    sure !== 'text' || (!/[:=]/.test(text) ? true : CONNECTION.test(text)),
  // psql puts the value into the text that it runs, a backslash and a program too.
  setting: ({ sure, text }) => sure === 'text' && PSQL_SETTING.test(text),
  object: ({ sure, text, prefix = '' }) => !(sure === 'text' ? text : prefix).startsWith('@'),
}

const SAFE_KEYWORD =
  '(host|hostaddr|port|user|password|dbname|sslmode|connect_timeout|application_name)'
const CONNECTION = new RegExp(
  `^(postgres(ql)?://[^?\\s]*(\\?(${SAFE_KEYWORD}=[^&=\\s]*(&|$))+)?|(${SAFE_KEYWORD}=[^\\s='\\\\]*(\\s+|$))+)$`,
)
const PSQL_SETTING =
  /^([a-z_]\w*|ON_ERROR_STOP|ON_ERROR_ROLLBACK|AUTOCOMMIT|QUIET|ECHO|ECHO_HIDDEN|ECHO_ERRORS|VERBOSITY|SHOW_CONTEXT|FETCH_COUNT|SINGLELINE)=[\w.-]*$/

// Functions of yq that only look at the data they are given.
const FUNCTIONS = new Set(
  'and or not true false null select map map_values keys length has sort sort_by unique unique_by group_by to_entries from_entries with_entries add del any all first last reverse flatten join split test match capture sub contains type tag kind path paths parent anchor alias explode style line column min max upcase downcase trim to_string to_number ascii_downcase tostring tonumber if then elif else end as reduce in range index recurse empty values'.split(
    ' ',
  ),
)

/** An expression of yq without functions that read files or the environment. */
function isExpression({ sure, text }: Word): boolean {
  if (sure !== 'text' || /[\\#@]/.test(text)) return false
  const bare = text.replace(/"[^"]*"|\$(?!ENV)\w+|\.[\w-]+|\w+(?=:)/g, ' ')
  return (bare.match(/[A-Za-z_]\w*/g) ?? []).every((name) => FUNCTIONS.has(name))
}

// A phase of Maven, or a goal of a plugin that only reads or formats.
const PHASE =
  /^([a-z]+(-[a-z]+)*|(dependency|versions|help|spotless|checkstyle|spring-boot):[a-z-]+)$/
/** Options of Go's compiler and linker that name no program, as `-extld` does. */
function areFlags({ sure, text }: Word): boolean {
  const words = text.trim().split(/\s+/)
  const isDefinition = (word = '') => /^['"]?[\w.][\w./-]*=[^'"]*['"]?$/.test(word)
  return (
    sure === 'text' &&
    words.every((word, at) => {
      if (word === '-X') return isDefinition(words[at + 1])
      if (words[at - 1] === '-X') return true
      if (word.startsWith('-X=')) return isDefinition(word.slice(3))
      return /^([\w./]+=)?(-[swNl]|-m(=\d)?)?$/.test(word)
    })
  )
}

/** A target of make, or a variable that names no program. */
export function isGoal({ sure, text }: Pick<Word, 'sure' | 'text'>): boolean {
  if (sure !== 'text') return false
  const [, name, value] = /^([A-Za-z_]\w*)[:+?]?=(.*)$/s.exec(text) ?? []
  if (name === undefined) return /^(?!\/\w)[\w./%+@,:-]+$/.test(text)
  return isSwitch(value ?? '') || (isKnownVariable(name) && /^[\w./:@-]*$/.test(value ?? ''))
}

/**
 * A file, folder or module of the project, whose code or settings are run: inside of every folder
 * that the command may run in.
 */
function isInProject({ text, sure, base }: Word, places: Places): boolean {
  if (base === 'home' || sure === 'part') return false
  if (sure === 'number') return true
  const path = base === 'here' ? text.slice(1) : text
  // `@file` holds options, `{` and `X=` begin settings, `npm:x`, `x@1` and `git@x` are elsewhere.
  if (/^([@{-]|\w+=|[a-z][a-z+-]*:(?!:))|\w@/i.test(path)) return false
  if (/[\s:=,;](\/|~|\.\.(\/|$))/.test(path)) return false
  if (!path.startsWith('/') && !path.split('/').includes('..')) return true
  return places?.every((place) => isBelow(path, place)) ?? false
}

/** Returns true if a path stays inside of a folder, or inside of where the call began. */
function isBelow(path: string, place: string): boolean {
  if (path.startsWith('/')) {
    const folder = place.replace(/\/*$/, '/')
    return folder.length > 1 && folder.startsWith('/') && isLevel(path, folder)
  }
  const start = /^[/~]/.test(place) ? '' : place
  let depth = 0
  for (const part of `${start}/${path}`.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return false
  }
  return true
}

function isLevel(path: string, folder: string): boolean {
  return `${path}/`.startsWith(folder) && !path.split('/').includes('..')
}

/** A package by its name and version, or a folder of the project. */
function isPackage({ text, sure, base }: Word): boolean {
  if (base === 'here' || sure === 'number') return true
  if (base || sure !== 'text' || text.split('/').includes('..')) return false
  return /^(\.\/?[\w./-]*(\[[\w,-]+\])?|(@[\w.-]+\/)?\w[\w.@^~<>=!*,+[\]|-]*)$/.test(text)
}

/** An address of the web. Other schemes read files, send mail or run commands of a server. */
function isWebAddress({ text, sure, base, prefix = '' }: Word): boolean {
  if (base) return base === 'here'
  const prefixText = sure === 'text' ? text : prefix
  if (/^https?:\/\/[\w[$]/i.test(prefixText)) return true
  return sure === 'text' && !/^([{[/]|[a-z][a-z+.-]*:(?!\d))/i.test(text)
}
