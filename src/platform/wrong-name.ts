import type { WrongField } from './failure.ts'
import { codePoints, isBlank, MUST_BE_SEEN } from './text.ts'

/** What is wrong with a name that somebody typed, after `cleanLine`. `most` counts code points. */
export function wrongName(name: string, most: number, field = 'name'): WrongField[] {
  if (name === '') return [{ field, must: 'must not be empty' }]
  if (isBlank(name)) return [{ field, must: MUST_BE_SEEN }]
  if (codePoints(name) <= most) return []
  return [{ field, must: `must have at most ${most} characters` }]
}
