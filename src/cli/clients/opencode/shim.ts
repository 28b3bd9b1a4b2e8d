import plugin from './plugin.js' with { type: 'text' }

const PROGRAM = "const BECKON = ['beckon']"

/**
 * The plugin for `.opencode/plugins/`: OpenCode has no hooks that are commands, so this runs
 * `COMMAND hook opencode` for it. `command` is the program and what stands before its verbs.
 */
export function openCodeShim(command: readonly string[]): string {
  return plugin.replace(PROGRAM, () => `const BECKON = ${JSON.stringify(command)}`)
}
