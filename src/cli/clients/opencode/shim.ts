import plugin from './plugin.js' with { type: 'text' }

const PROGRAM = "const BECKON = ['beckon']"
const OPTIONS = 'const OPTIONS = []'

/**
 * The plugin for `.opencode/plugins/`: OpenCode has no hooks that are commands, so this runs
 * `COMMAND hook opencode` for it. `command` is the program and what stands before its verbs,
 * `options` are those of the hook.
 */
export function openCodeShim(command: readonly string[], options: readonly string[] = []): string {
  return plugin
    .replace(PROGRAM, () => `const BECKON = ${JSON.stringify(command)}`)
    .replace(OPTIONS, () => `const OPTIONS = ${JSON.stringify(options)}`)
}
