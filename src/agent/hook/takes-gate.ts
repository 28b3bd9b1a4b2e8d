import { readFileSync, realpathSync } from 'node:fs'
import { candidatesOf } from '../paths/candidates.ts'
import type { HookContext } from '../session/context.ts'
import { readGatedFiles } from '../state/gated-files.ts'
import type { Stake } from './stake-ask.ts'
import { touchedBy } from './touched.ts'

// A gate and its name, or its address, in JSON and in TOML.
const GATE =
  /(["'])gate\1\s*,\s*(["'])[^"']+\2\s*,\s*(["'])--hold\3|(["'])https?:[^"'\s]+\/gate\/[^"'/?#]+\4/g

/** Files of clients that this call would change so that an MCP server may lose its gate. */
export async function takesGate({ call, state }: HookContext): Promise<Stake[]> {
  const gated = readGatedFiles(state).map(real)
  if (gated.length === 0) return []
  const { touches } = await touchedBy(call)
  const names = touches.flatMap(({ path, touch }) => {
    if (touch === 'read') return []
    const { absolute } = candidatesOf(path, { cwd: call.cwd, roots: call.roots })
    if (!gated.includes(real(absolute))) return []
    return call.command === undefined && keepsGates(absolute, call.toolInput) ? [] : [path]
  })
  if (names.length === 0) return []
  return [{ says: 'This may take the gate away from an MCP server', names }]
}

/** True if every gate of the file is still there after an edit of it; false if that is not known. */
function keepsGates(path: string, input: unknown): boolean {
  const before = textOf(path)
  const after = before === undefined ? undefined : edited(before, input)
  if (before === undefined || after === undefined) return false
  const remaining = gatesIn(after)
  return gatesIn(before).every((gate) => {
    const at = remaining.indexOf(gate)
    if (at >= 0) remaining.splice(at, 1)
    return at >= 0
  })
}

function gatesIn(text: string): string[] {
  return [...text.matchAll(GATE)].map(([gate]) => gate.replace(/\s+/g, ''))
}

/** The text after the edit of a client's tool; undefined if its form is not known. */
function edited(text: string, input: unknown): string | undefined {
  const { content, old_string, new_string, edits, replace_all } = (input ?? {}) as Record<
    string,
    unknown
  >
  if (typeof content === 'string') return content
  if (Array.isArray(edits)) {
    return edits.reduce<string | undefined>(
      (all, edit) => (all === undefined ? undefined : edited(all, edit)),
      text,
    )
  }
  if (typeof old_string !== 'string' || typeof new_string !== 'string') return undefined
  if (!text.includes(old_string)) return undefined
  return replace_all === true
    ? text.replaceAll(old_string, () => new_string)
    : text.replace(old_string, () => new_string)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
