import type { Command, Word } from '../../ask/wire/reading/reading.ts'
import type { TouchNotes } from './notes.ts'
import { joinAll, operandOf, type Places } from './operand.ts'

// They say no more than names, and what is known about them.
const NAMES_ONLY = /^(ls|stat|du|realpath|readlink|exa|eza)$/

/** Returns true if a program reads the contents of the files that it is given. */
export function readsFiles({ program, does }: Command): boolean {
  return does !== 'says' && !NAMES_ONLY.test(program)
}

// Without a folder they list the one that they run in.
const LISTERS = /^(ls|fd|fdfind|tree|exa|eza)$/

/** Notes what a program may list, where other programs are given what is listed. */
export function noteLister({ program, words, does }: Command, places: Places, notes: TouchNotes) {
  if (does === 'says' || does === 'project' || program === 'find') return
  const listerWords = words.filter(({ text }) => !text.startsWith('-'))
  for (const word of listerWords) {
    const operand = operandOf(word, notes.start)
    if (
      operand.why === undefined &&
      joinAll(operand.text, places).some((path) => notes.holdsFolder(path))
    )
      notes.takeCopy(operand, places, { leavesOut: true })
  }
  const isBare = LISTERS.test(program) ? listerWords.length === 0 : isGitList(program, listerWords)
  if (isBare) notes.takeCopy({ text: '.' }, places, { leavesOut: true })
}

function isGitList(program: string, listerWords: readonly Word[]): boolean {
  return program === 'git' && listerWords.length === 1 && listerWords[0]?.text === 'ls-files'
}
