import { redactSecrets } from '../../kernel/redact.ts'
import { cleanLine, cutText } from '../../kernel/text.ts'
import type { HookContext } from './context.ts'
import type { Outside } from './judge-call.ts'
import { whereOf } from './refresh.ts'
import { showCall } from './relay-body.ts'
import type { HookAsk } from './server.ts'

const TARGET_MAX = 80
const ACTION_MAX = 500
const TOOL_PATH_MAX = 4096
const NAME_MAX = 100
const MODE_MAX = 64

// Of a client that names no calls: one run of the hook is one of them.
const RUN_ID = crypto.randomUUID()

/**
 * The question about one place outside the boundary. It shows the whole call, as its yes also
 * answers the client's own prompt for it: both carry the same `toolUseId` (design: R6).
 */
export async function scopeAsk(context: HookContext, outside: Outside, at: number) {
  const { call, left } = context
  const { repoKey, agentName } = whereOf(context)
  const toolName = cutText(call.toolName ?? 'tool', NAME_MAX)
  const absolute = posix(outside.absolute)
  const ask: HookAsk = {
    question: `Allow a change to ${outside.path}? It is outside the scope you agreed to.`,
    toolName,
    toolTarget: cutText(redactSecrets(cleanLine(call.command ?? outside.path)), TARGET_MAX),
    scopePath: outside.path,
    action: cutText(redactSecrets(cleanLine(actionOf(context, outside))), ACTION_MAX),
    ...bodyOfCall(context, outside),
    localSurfaceAvailable: false,
    waitEndsAt: new Date(Date.now() + left()).toISOString(),
    ...(absolute.startsWith('/') && absolute.length <= TOOL_PATH_MAX ? { toolPath: absolute } : {}),
    ...(call.permissionMode && call.permissionMode.length <= MODE_MAX
      ? { permissionMode: call.permissionMode }
      : {}),
    ...keyOf(call.toolUseId, at),
  }
  return { ask, repoKey, agentName }
}

function actionOf({ call }: HookContext, { path }: Outside): string {
  return call.command === undefined ? `${call.toolName ?? 'Change'} ${path}` : call.command
}

/** The change itself, or a command too long for its line. */
function bodyOfCall({ call }: HookContext, { path }: Outside): Pick<HookAsk, 'actionBody'> {
  const { actionBody } = showCall(call, path)
  return actionBody === undefined ? {} : { actionBody }
}

/** Different questions about one call must not be taken for one. */
function keyOf(
  toolUseId: string | undefined,
  at: number,
): Pick<HookAsk, 'toolUseId' | 'requestId'> {
  const more = at === 0 ? '' : `#${at}`
  return toolUseId === undefined
    ? { requestId: `${RUN_ID}${more}` }
    : { toolUseId: `${toolUseId}${more}` }
}

/** `C:\x` → `/c/x`. */
function posix(path: string): string {
  const drive = /^([A-Za-z]):[\\/]?/.exec(path)
  const own = drive ? `/${drive[1]?.toLowerCase()}/${path.slice(drive[0].length)}` : path
  return own.replaceAll('\\', '/')
}
