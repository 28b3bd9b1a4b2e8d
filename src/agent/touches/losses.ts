/**
 * The work without another copy that a command may destroy; whether there is any such work is
 * checked later. `changes`: uncommitted changes of tracked files; `untracked`: untracked files;
 * `both`; `stash`: stashed work; `branch`: commits that only these branches have; `push`: what a
 * remote has.
 */
export type Loss = {
  how: 'changes' | 'untracked' | 'both' | 'stash' | 'branch' | 'push'
  /** The folders that the command may run in. */
  places: readonly string[]
  /** The paths it is limited to, absolute or from `~`; left out if it is not limited. */
  paths?: string[]
  /** Patterns for the last name of a path, if only matching names are affected. */
  names?: string[]
  /** Includes files that git ignores. */
  ignored?: true
  /** Branches; for `changes`, the word may name a branch instead of a path. */
  refs?: string[]
}

const LOSSES_MAX = 50
const PATHS_MAX = 500

/** Adds a loss to the list, which stays short: beyond its limits the loss counts as everything. */
export function addLoss(losses: Loss[], loss: Loss): void {
  const same = losses.find((one) => isAlike(one, loss))
  if (same?.paths && loss.paths) {
    same.paths.push(...loss.paths)
    if (same.paths.length > PATHS_MAX) delete same.paths
  } else if (same && !same.paths && !same.refs) return
  else if (losses.length < LOSSES_MAX) losses.push(loss)
  else if (!losses.some(({ how, paths }) => how === 'both' && !paths))
    losses.push({ how: 'both', places: loss.places })
}

function isAlike(one: Loss, other: Loss): boolean {
  const key = ({ how, places, names, ignored, refs }: Loss) =>
    JSON.stringify([how, places, names, ignored, refs])
  return key(one) === key(other)
}
