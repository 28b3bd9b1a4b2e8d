import canonicalize from 'canonicalize'
import type { ArgumentSort, ExactCall } from '../../ask/wire/exact-call.ts'
import { readShellCommand } from '../../ask/wire/reading/of-ask.ts'
import type { ReadingSummary } from '../../ask/wire/reading/summary.ts'
import { isHarmless } from '../../ask/wire/tool-settings.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { forShell, showCall } from '../calls/show-call.ts'
import { type HookCall, toolNameOf } from '../calls/tool-call.ts'
import type { HookContext } from '../session/context.ts'
import type { HookAsk } from '../session/server.ts'
import { actionHashOf } from '../session/use-permit.ts'
import { callPlace, targetOf } from './call-target.ts'
import { keyOf } from './relay-key.ts'

const MODE_MAX = 64
// These clients show their own prompt at the same time; the others wait for the hook first.
const ASKS_BESIDE = new Set(['claude', 'opencode'])

/** The question whether a call may run: the same whether its client asks or a rule does. */
export function approvalAsk(context: HookContext, toolUseId: string | undefined): HookAsk {
  const { call } = context
  const place = callPlace(call)
  const exact = exactCall(call)
  return {
    ...showCall(call, place?.name),
    ...commonFields(context),
    ...targetOf(call, place?.name),
    ...(place?.toolPath === undefined ? {} : { toolPath: place.toolPath }),
    ...(exact ? { exact } : {}),
    actionHash: actionHashOf(call),
    ...(call.command === undefined ? {} : { reading: readingOf(call.command, call) }),
    ...keyOf(call, toolUseId),
  }
}

/** The fields about the tool and its terminal that every question about a call has. */
export function commonFields({ client, call }: HookContext) {
  const { permissionMode = '', headless } = call
  const isLocked = headless || !ASKS_BESIDE.has(client.name)
  return {
    toolName: toolNameOf(call),
    ...(isLocked ? { localSurfaceAvailable: false } : {}),
    ...(permissionMode && permissionMode.length <= MODE_MAX ? { permissionMode } : {}),
  }
}

export function readingOf(command: string, { toolName }: HookCall): ReadingSummary {
  return readShellCommand(command, { toolName, ...forShell(toolName) })
}

/**
 * The exact call, as the client sent it. Undefined if the client did not say in which folder it
 * works, or if the arguments have no canonical form. Never throws.
 */
function exactCall(call: HookCall): ExactCall | undefined {
  if (!call.hasOwnCwd) return undefined
  try {
    const text = canonicalize(call.toolInput ?? null)
    if (text === undefined) return undefined
    return { argumentsHash: sha256(text), arguments: sortOf(call) }
  } catch {
    return undefined
  }
}

function sortOf({ command, toolInput, touches, unread, scripts }: HookCall): ArgumentSort {
  const fields = toolInput !== null && typeof toolInput === 'object' ? toolInput : undefined
  if (touches.some(({ touch }) => touch !== 'read')) return 'edit'
  if (command !== undefined) {
    const others = Object.entries(fields ?? {}).filter(
      ([name, value]) => value !== command && !isHarmless(name),
    )
    return others.length === 0 ? 'command' : 'unshown'
  }
  const isEmpty = fields !== undefined && Object.keys(fields).length === 0
  return isEmpty && !unread && !scripts ? 'none' : 'other'
}
