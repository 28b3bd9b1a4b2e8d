import { wholeEnvironment } from '../../platform/config/env.ts'
import { type Limit, runGit } from './git-status.ts'

/** What git says of a work tree, bounded as `gitStatus` is; undefined when it fails, or not in time. */
export async function gitSays(
  top: string,
  words: readonly string[],
  limit: Limit,
): Promise<string | undefined> {
  const said = await runGit(top, words, wholeEnvironment(), limit)
  return said.is === 'said' ? said.text : undefined
}
