import { type HookCall, NOTHING, type Rendered } from '../calls/tool-call.ts'

// Some clients ignore a block that has no reason.
const NO_REASON = 'Blocked.'

/** One JSON object on standard output. */
export function hookOutput(output: object): Rendered {
  return { ...NOTHING, stdout: JSON.stringify(output) }
}

/**
 * A block in every form that clients look for: JSON, the reason on standard error, exit code 2.
 */
export function block(reason: string, output: (reason: string) => object): Rendered {
  const text = reason.trim() || NO_REASON
  return { stdout: JSON.stringify(output(text)), stderr: text, exit: 2 }
}

/** The commands of a call whose input has one command, in the field `key`. */
export function replaceField(
  { toolInput }: HookCall,
  key: string,
  replace: (command: string) => string,
): object | undefined {
  if (toolInput === null || typeof toolInput !== 'object' || Array.isArray(toolInput))
    return undefined
  const command = (toolInput as Record<string, unknown>)[key]
  return typeof command === 'string' ? { ...toolInput, [key]: replace(command) } : undefined
}
