import { Type } from '@sinclair/typebox'
import { closed, countField, orNull } from '../records/words.ts'
import { defineFact } from './fact.ts'

const NUMBERS = {
  githubStars: Type.Optional(orNull(countField('Stars on GitHub.'))),
  npmWeekly: Type.Optional(orNull(countField('Downloads from npm in a week.'))),
  pypiWeekly: Type.Optional(orNull(countField('Downloads from PyPI in a week.'))),
}

/** `popularity WHERE`: what the repository and the registries count, each read with its own fact. */
export const POPULARITY = defineFact({
  name: 'popularity',
  value: closed(NUMBERS),
  live: NUMBERS,
  read: (stored) => Object.assign({}, ...stored.map(({ value }) => value)),
})
