import { basename } from 'node:path'

// What the program is called, installed or run from its sources.
const OUR_PROGRAM = /^(beckon([-_.][\w.-]*)?|main\.ts)$/

/**
 * Whether an entry of a client runs our hook: its command ends with a program of ours, `hook` and
 * the client's name.
 */
export function isOurHook(entry: unknown, client: string): boolean {
  if (entry === null || typeof entry !== 'object') return false
  const { hooks } = entry as { hooks?: unknown }
  if (Array.isArray(hooks)) return hooks.length > 0 && hooks.every((one) => isOurHook(one, client))
  return commandsOf(entry).some((words) => isOurCommand(words, client))
}

/** The words of each command that the entry names. */
function commandsOf(entry: object): string[][] {
  const { command, bash, exec, args } = entry as Record<string, unknown>
  const more = Array.isArray(args) ? args.filter((one) => typeof one === 'string') : []
  return [command, bash, exec]
    .filter((one) => typeof one === 'string')
    .map((one) => (more.length > 0 ? [one, ...more] : words(one)))
}

function isOurCommand(words: readonly string[], client: string): boolean {
  const at = words.lastIndexOf('hook')
  if (at < 1 || words[at + 1] !== client) return false
  return OUR_PROGRAM.test(basename(words[at - 1] ?? ''))
}

/** The words of a command line, quotes taken off. */
function words(line: string): string[] {
  const found = line.matchAll(/'((?:[^']|'\\'')*)'|"((?:[^"\\]|\\.)*)"|\S+/g)
  return [...found].map(([whole, single, double]) => {
    if (single !== undefined) return single.replaceAll("'\\''", "'")
    return double === undefined ? whole : double.replace(/\\(.)/g, '$1')
  })
}
