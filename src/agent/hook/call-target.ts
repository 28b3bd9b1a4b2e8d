import { redactCommand } from '../../ask/wire/reading/redact.ts'
import { cleanLine, cleanText } from '../../platform/text.ts'
import { forShell } from '../calls/show-call.ts'
import type { HookCall } from '../calls/tool-call.ts'
import { candidatesOf } from '../paths/candidates.ts'

const TARGET_MAX = 80
const PATH_MAX = 4096

type Place = { name: string; toolPath?: string }

/** The first file of the call where the kernel finds it: by its root, and in full. */
export function callPlace({ touches: [first], command, cwd, roots }: HookCall): Place | undefined {
  if (!first || command !== undefined) return undefined
  const { paths, absolute, refused } = candidatesOf(first.path, { cwd, roots })
  const toolPath = posix(absolute)
  if (refused !== undefined || !toolPath.startsWith('/') || toolPath.length > PATH_MAX) {
    return { name: first.path }
  }
  return { name: paths.at(-1) ?? toolPath, toolPath }
}

/** Returns the target of the tool, on one line. */
export function targetOf(call: HookCall, name: string | undefined): { toolTarget?: string } {
  // In a shell each line is a command, even if it is shown on one line.
  const command =
    call.command &&
    redactCommand(cleanText(call.command), forShell(call.toolName))
      .trim()
      .replace(/\s*\n+\s*/g, '; ')
  const text = command ?? name ?? call.target ?? call.scripts?.join('; ') ?? ''
  const target = redactCommand(cleanLine(text), {
    most: TARGET_MAX,
  })
  return target === '' ? {} : { toolTarget: target }
}

/** `C:\x` → `/c/x`. */
function posix(path: string): string {
  const drive = /^([A-Za-z]):[\\/]?/.exec(path)
  const own = drive ? `/${drive[1]?.toLowerCase()}/${path.slice(drive[0].length)}` : path
  return own.replaceAll('\\', '/')
}
