import { type Judgement, judgeOf } from '../../wire/matcher/judge.ts'
import { protect } from '../../wire/matcher/protected-paths.ts'
import type { Contract } from './contract.ts'

/** Paths of a repository, grouped by what a scope says about writing to them. */
export type Examples = Record<Judgement['is'], string[]>

/** Groups `paths` as a hook would judge them, keeping their order. */
export function sortExamples(
  { allowedPaths, offLimitsPaths }: Pick<Contract, 'allowedPaths' | 'offLimitsPaths'>,
  paths: readonly string[],
): Examples {
  const judged = judgeOf(protect({ allowedPaths, offLimitsPaths, widened: [] }))
  const examples: Examples = { within: [], outside: [], off_limits: [] }
  for (const path of paths) examples[judged([path], 'write').is].push(path)
  return examples
}
