import { redactSecrets } from '../../platform/redact/redact.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { HookContext } from './context.ts'
import type { Outside } from './judge-call.ts'
import { whereOf } from './refresh.ts'
import { placeOf } from './relay-approval.ts'
import { showCall } from './relay-body.ts'
import { keyOf } from './relay-key.ts'
import type { HookAsk } from './server.ts'

const TARGET_MAX = 80
const TOOL_PATH_MAX = 4096
const NAME_MAX = 100
const MODE_MAX = 64

/**
 * The question about one place outside the boundary. It shows the call in the words of the client's
 * own prompt for it: the server takes its answer for that one too where both read the same.
 */
export async function scopeAsk(context: HookContext, outside: Outside, at: number) {
  const { call, left } = context
  const { repoKey, agentName } = whereOf(context)
  const toolName = cutText(call.toolName ?? 'tool', NAME_MAX)
  const absolute = posix(outside.absolute)
  const { action, actionBody } = showCall(call, placeOf(call)?.name ?? outside.path)
  const ask: HookAsk = {
    question: `Allow a change to ${outside.path}? It is outside the scope you agreed to.`,
    toolName,
    toolTarget: cutText(redactSecrets(cleanLine(call.command ?? outside.path)), TARGET_MAX),
    scopePath: outside.path,
    ...(action === undefined ? {} : { action }),
    ...(actionBody === undefined ? {} : { actionBody }),
    localSurfaceAvailable: false,
    waitEndsAt: new Date(Date.now() + left()).toISOString(),
    ...(absolute.startsWith('/') && absolute.length <= TOOL_PATH_MAX ? { toolPath: absolute } : {}),
    ...(call.permissionMode && call.permissionMode.length <= MODE_MAX
      ? { permissionMode: call.permissionMode }
      : {}),
    ...keyOf(call, call.toolUseId, at === 0 ? undefined : at),
  }
  return { ask, repoKey, agentName }
}

/** `C:\x` → `/c/x`. */
function posix(path: string): string {
  const drive = /^([A-Za-z]):[\\/]?/.exec(path)
  const own = drive ? `/${drive[1]?.toLowerCase()}/${path.slice(drive[0].length)}` : path
  return own.replaceAll('\\', '/')
}
