/**
 * What a command may destroy of which there is no other copy; whether there is any such work is checked
 * later. `changes`: uncommitted changes of tracked files; `untracked`: untracked files; `both`;
 * `stash`: stashed work; `branch`: commits that only these branches have; `push`: what a remote has.
 */
export type Loss = {
  how: 'changes' | 'untracked' | 'both' | 'stash' | 'branch' | 'push'
  /** The folders that the command may run in. */
  places: readonly string[]
  /** Absolute, or from `~`: what it is limited to; left out when it is not. */
  paths?: string[]
  /** Patterns for the last name of a path, when it takes only what fits one. */
  names?: string[]
  /** Also what git ignores. */
  ignored?: true
  /** Branches; of `changes` one that the word may name in place of a path. */
  refs?: string[]
}

const LOSSES_MAX = 50
const PATHS_MAX = 500

/** Adds to the list, which stays short: beyond its limits the loss counts as everything. */
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
