import type { GroupSource } from '../model/group.ts'

/** Says in a few words where a group, or somebody's place in it, comes from. */
export function sourceWords(source: GroupSource): string {
  if (source === 'hand') return 'by hand'
  if (source === 'file') return 'from the policy file'
  const [kind, name] = source.split(':', 2)
  return kind === 'provider' ? `from the sign-in ${name}` : `from the directory ${name}`
}
