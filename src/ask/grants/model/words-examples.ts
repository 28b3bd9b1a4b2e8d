import type { Question } from '../../questions/model/question.ts'
import { type Examples, examplesOf, nearCommands } from '../../wire/examples.ts'
import { readShellCommand } from '../../wire/reading/of-ask.ts'
import { patternOf } from '../../wire/reading/word-pattern.ts'
import { grantedWords } from './grant.ts'

/** Returns examples that a yes for all calls that begin as this one would allow, and would not. */
export function examplesOfWords(question: Question): Examples {
  const words = grantedWords(question)
  const { action = '', exact } = question.detail
  return examplesOf(nearCommands(action), (command) => {
    const other = exact && patternOf(readShellCommand(command), exact.cwd)
    return Bun.deepEquals(other, words)
  })
}
