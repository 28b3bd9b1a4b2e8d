import type { Contract } from '../../wire/contract.ts'
import { type Judgement, judge, judgeOf } from '../../wire/matcher/judge.ts'
import { protect } from '../../wire/matcher/protected-paths.ts'

/**
 * One path as it is added to a contract: without `.` and doubled slashes, in NFC, taken literally.
 * Undefined for an empty path, or one that leaves its folder by `..`.
 */
export function exactPath(path: string): string | undefined {
  const segments = path.normalize('NFC').split('/')
  const names = segments.filter((segment) => segment !== '' && segment !== '.')
  if (names.length === 0 || names.includes('..')) return undefined
  return (path.startsWith('/') ? '/' : '') + names.join('/')
}

/** Returns true if a path stays closed whatever a person answers: off limits, or protected. */
export function isOffLimits(
  contract: Pick<Contract, 'allowedPaths' | 'offLimitsPaths'>,
  path: string,
): boolean {
  const { allowedPaths, offLimitsPaths } = contract
  const boundary = protect({ allowedPaths, offLimitsPaths, widened: [] })
  return judge(boundary, [path], 'write').is === 'off_limits'
}

/** Paths of a repository, grouped by what a scope says about writing to them. */
export type Examples = Record<Judgement['is'], string[]>

/** Groups `paths` as a hook would judge them, keeping their order. */
export function sortExamples(
  { allowedPaths, offLimitsPaths }: Pick<Contract, 'allowedPaths' | 'offLimitsPaths'>,
  paths: readonly string[],
): Examples {
  const judgeExample = judgeOf(protect({ allowedPaths, offLimitsPaths, widened: [] }))
  const examples: Examples = { within: [], outside: [], off_limits: [] }
  for (const path of paths) examples[judgeExample([path], 'write').is].push(path)
  return examples
}
