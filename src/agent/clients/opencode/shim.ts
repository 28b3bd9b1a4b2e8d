import plugin from './plugin.js' with { type: 'text' }

const PROGRAM = "const BECKON = ['beckon']"
const OPTIONS = 'const OPTIONS = []'
const ENVIRONMENT = 'const ENVIRONMENT = {}'

/**
 * The plugin for `.opencode/plugins/`: OpenCode has no hooks that are commands, so this runs
 * `COMMAND hook opencode` for it. `command` is the program and what stands before its verbs,
 * `options` are those of the hook, `environment` is what it is given beside OpenCode's own.
 */
export function openCodeShim(
  command: readonly string[],
  more: { options?: readonly string[]; environment?: Record<string, string> } = {},
): string {
  const { options = [], environment = {} } = more
  return plugin
    .replace(PROGRAM, () => `const BECKON = ${JSON.stringify(command)}`)
    .replace(OPTIONS, () => `const OPTIONS = ${JSON.stringify(options)}`)
    .replace(ENVIRONMENT, () => `const ENVIRONMENT = ${JSON.stringify(environment)}`)
}
