import canonicalize from 'canonicalize'
import { type ArgumentSort, type ExactCall, isCompound } from '../../ask/wire/exact-call.ts'
import { isHarmless } from '../../ask/wire/tool-settings.ts'
import { sha256 } from './state.ts'
import type { HookCall } from './tool-call.ts'

/**
 * The exact call, as the client sent it. Undefined if the client did not say in which folder it
 * works, or if the arguments have no canonical form. Never throws.
 */
export function exactCall(call: HookCall): ExactCall | undefined {
  if (!call.saidCwd) return undefined
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
    if (isCompound(command)) return 'compound'
    const others = Object.entries(fields ?? {}).filter(
      ([name, value]) => value !== command && !isHarmless(name),
    )
    return others.length === 0 ? 'command' : 'unshown'
  }
  const isEmpty = fields !== undefined && Object.keys(fields).length === 0
  return isEmpty && !unread && !scripts ? 'none' : 'other'
}
