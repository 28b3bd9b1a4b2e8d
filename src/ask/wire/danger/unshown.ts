import { hasOption, programOf } from './pattern.ts'
import type { Command, Word } from './read-commands.ts'

const SHELLS = 'sh bash zsh dash ash ksh fish pwsh powershell'.split(' ')
const INTERPRETERS =
  'python python2 python3 perl ruby node bun deno php lua osascript Rscript'.split(' ')
const RUNNERS = new Set([...SHELLS, ...INTERPRETERS])

/** What runs commands that stand nowhere in the text: nobody can agree to those. */
export function runsUnshown(
  program: string,
  words: readonly Word[],
  command: Command,
): { why: string; parts: Word[] } | undefined {
  if (SHELLS.includes(program)) return shell(words, command)
  if (RUNNERS.has(program)) return interpreter(words, command)
  const isEval = program === 'eval' || program === 'source' || program === '.'
  const made = isEval ? words.filter(isMade) : []
  return made.length > 0 ? { why: MADE, parts: made } : undefined
}

/** A program whose name is only known when it runs: `$CMD`, `$(…)`. */
export function isUnnamed(word: Word): boolean {
  const name = word.text.slice(word.text.lastIndexOf('/') + 1)
  return /^(\$\(?|`|\$\{)/.test(name) && name !== '$'
}

const PIPED = 'This runs whatever comes out of another command; what that is, is not shown here.'
const MADE = 'This runs text that is made while it runs; it is not shown here.'

function shell(words: readonly Word[], { isFed }: Command) {
  const made = words.filter(isMade)
  if (made.length > 0) return { why: MADE, parts: made }
  const file = words.find(({ text }) => !/^[-+]/.test(text))
  const reads = isFed && (!file || hasOption(words, '-s')) && !hasOption(words, '-c')
  return reads ? { why: PIPED, parts: [] } : undefined
}

function interpreter(words: readonly Word[], { isFed }: Command) {
  const given = words.find(({ text }) => text !== '-')
  return isFed && !given ? { why: PIPED, parts: [] } : undefined
}

function isMade({ text }: Word): boolean {
  return /^(\$\(|<\(|`|\$\w|\$\{)/.test(text)
}

/** Whether a word is the name of something that runs what it is given. */
export function isRunner(word: Word): boolean {
  return RUNNERS.has(programOf(word))
}
