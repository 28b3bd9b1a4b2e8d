/**
 * Who is told, as rules name them: a group or a person by id, `owners`, whoever is on call by
 * `oncall:NAME`, or a channel of the workspace by `channel:NAME`.
 */
export type Target = string

/** The length of a channel's name with its prefix. */
export const TARGET_MAX = 120

const OWNERS = 'owners'
const ON_CALL = 'oncall:'
const CHANNEL = 'channel:'

export type ReadTarget =
  | { is: 'owners' }
  | { is: 'oncall'; name: string }
  | { is: 'channel'; name: string }
  | { is: 'who'; id: string }

export function readTarget(target: Target): ReadTarget {
  if (target === OWNERS) return { is: 'owners' }
  if (target.startsWith(ON_CALL)) return { is: 'oncall', name: target.slice(ON_CALL.length) }
  if (target.startsWith(CHANNEL)) return { is: 'channel', name: target.slice(CHANNEL.length) }
  return { is: 'who', id: target }
}

/** Returns true for a target that names something else than a group or a person. */
export function isNameOfTarget(target: Target): boolean {
  return readTarget(target).is !== 'who'
}
