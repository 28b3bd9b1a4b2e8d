import { readingOfAsk } from '../../wire/reading/of-ask.ts'
import { type OwnProgram, settle } from '../../wire/reading/own-programs.ts'
import type { ReadingSummary } from '../../wire/reading/summary.ts'
import type { Question } from './question.ts'

type WithDetail = Pick<Question, 'detail'>

/**
 * Returns the reading of a question's command, as it was read when it was asked, with the programs
 * that the workspace knows; undefined if it is about no command.
 */
export function readingOf(question: WithDetail): ReadingSummary | undefined {
  const reading = readingAlone(question)
  return reading && settle(reading, question.detail.programs ?? [])
}

/** The question with those of a workspace's programs that its command names. */
export function withPrograms<Q extends WithDetail>(
  question: Q,
  programs: readonly OwnProgram[],
): Q {
  if (programs.length === 0 && question.detail.programs === undefined) return question
  const names = new Set(readingAlone(question)?.commands.map(({ program }) => program))
  const relevant = programs.filter(({ name }) => names.has(name))
  return { ...question, detail: { ...question.detail, programs: relevant } }
}

/** A question of an earlier version or of an earlier hook is read as it is shown. */
function readingAlone({ detail }: WithDetail): ReadingSummary | undefined {
  if (detail.reading) return detail.reading
  const argument = codeArgument(detail)
  if (argument) return { ...CODE, open: [{ why: 'language', name: argument }] }
  const { action, actionBody, toolName, toolTarget, exact } = detail
  const byHook = exact === undefined ? undefined : (true as const)
  const isCommand = /^(command|compound)$/.test(exact?.arguments ?? '')
  if (byHook && !isCommand) return undefined
  return readingOfAsk({ action, actionBody, toolName, toolTarget })
}

const CODE: ReadingSummary = {
  version: 1,
  dangers: [],
  open: [{ why: 'language' }],
  touched: 'elsewhere',
  commands: [],
}
// As JSON writes them, in the call or in its body.
const ARGUMENT = /"((?:[^"\\]|\\.)*)"\s*:/g
// Names with a word before: `run_script`, `shellCommand`. Of `code` and `query` these are rather
// numbers and words to look for.
const IS_CODE =
  /^(code|query|queries|function)$|(^|[_-])(scripts?|commands?|cmd|sql|statements?|expressions?|(python|js|javascript|source|shell|bash)[_-]?code)$/i

/** The argument by which a tool other than a shell is given text to run, for example a query. */
function codeArgument({ toolName, action = '', actionBody = '' }: WithDetail['detail']) {
  const isCall =
    toolName !== undefined &&
    /^\s*\{/.test(action.slice(toolName.length)) &&
    action.startsWith(toolName)
  if (!isCall) return undefined
  const names = [...`${action}\n${actionBody}`.matchAll(ARGUMENT)].map(({ 1: name = '' }) => name)
  // A name that is not spelled out may be any.
  const code = names.find(
    (name) => name.includes('\\') || IS_CODE.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2')),
  )
  return code?.toLowerCase()
}

/**
 * Returns true if a yes allows only commands that were read to their end; true for a question about
 * no command.
 */
export function isReadWhole(question: WithDetail): boolean {
  return (readingOf(question)?.open.length ?? 0) === 0
}

type Gap = ReadingSummary['open'][number]

// In the place of a word that is not known.
const CUT = '…'

const WORDS: Record<Gap['why'], (name: string) => string> = {
  syntax: () => 'it cannot be read as a shell command',
  size: () => 'it is too long to be read to its end',
  unseen: () => 'it has letters that cannot be seen',
  program: (name) => `what ${name || 'its program'} does is not known here`,
  'program word': () => 'which program runs is only known when it runs',
  subcommand: (name) => `what ${name || 'a word of it'} does is not known here`,
  option: (name) => `what ${name || 'an option'} does is not known here`,
  word: () => 'a part of it is only known when it runs',
  code: () => 'it has code in another language',
  input: () => 'it runs what another command gives it',
  variable: (name) => `it sets ${name || 'a variable'}, which may change what programs do`,
  expansion: () => 'a part of it stands for something that is not followed',
  written: () => 'it runs what it has just written',
  target: () => 'which file it changes is only known when it runs',
  'control file': (name) => `it changes ${name || 'a file'}, which programs read as commands`,
  definition: (name) => `it gives ${name || 'a name'} another meaning`,
  language: (name) =>
    name ? `what its ${name} does is not read` : 'it has a text in a language that is not read',
  redacted: () => 'more than a word was taken out with a secret, which a shell may run',
}
function isOf(name: string, programs: readonly string[]): boolean {
  return programs.some((program) => name.split(' ').includes(program))
}

// More would not be read.
const REASONS_MAX = 2

/**
 * Says what is not known of a command, in a sentence for people; undefined if it was read whole.
 */
export function openWords(question: WithDetail): string | undefined {
  const all = readingOf(question)?.open ?? []
  // Only if the program becomes known, what else is not known of its call says something.
  const unknown = all.flatMap(({ why, name }) => (why === 'program' && name ? [name] : []))
  const open = all.filter(({ why, name = '' }) => why === 'program' || !isOf(name, unknown))
  const reasons = [
    ...new Set(open.map(({ why, name = '' }) => WORDS[why](name === CUT ? '' : name))),
  ]
  if (reasons.length === 0) return undefined
  return `Not everything that this does is known: ${reasons.slice(0, REASONS_MAX).join(', and ')}.`
}
