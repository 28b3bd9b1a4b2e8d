import { Type } from '@sinclair/typebox'
import { closed, count, orNull } from '../records/words.ts'
import { fact } from './fact.ts'

const NUMBERS = {
  githubStars: Type.Optional(orNull(count('Stars on GitHub.'))),
  npmWeekly: Type.Optional(orNull(count('Downloads from npm in a week.'))),
  pypiWeekly: Type.Optional(orNull(count('Downloads from PyPI in a week.'))),
}

/** `popularity WHERE`: what the repository and the registries count, each read with its own fact. */
export const POPULARITY = fact({
  name: 'popularity',
  value: closed(NUMBERS),
  live: NUMBERS,
  read: (found) => Object.assign({}, ...found.map(({ value }) => value)),
})
