import type { Contained, Hook } from './hook.ts'

// The weakest first: a scope is only as strong as on the weakest machine.
const WEAKEST: ReadonlyArray<Contained | undefined> = ['none', undefined, 'landlock', 'namespaces']

const SAID: Readonly<Record<Contained | 'unknown', string>> = {
  none: 'Commands are not contained here: only file paths that a hook can read are checked, not what a started program does.',
  unknown:
    'The hook does not say that commands are contained: count only on the file paths that a hook can read, not on what a started program does.',
  landlock:
    'Shell commands, and what they start, are contained by Landlock alone: modes, times and owners of files outside can be changed, and names in folders off limits listed.',
  namespaces:
    'Shell commands, and what they start, are contained by the kernel; MCP servers and hooks that the client starts are not.',
}

/** How far the commands of a session are contained while its scope holds, in one sentence. */
export function sayContained(hooks: readonly Pick<Hook, 'contained'>[]): string {
  const reported = new Set(hooks.map(({ contained }) => contained))
  return SAID[WEAKEST.find((one) => reported.has(one)) ?? 'unknown']
}
