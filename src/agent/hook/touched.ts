import { isOtherShell } from '../../ask/wire/reading/other-shells.ts'
import type { HookCall, PathTouch } from '../calls/tool-call.ts'
import type { TextTouches } from '../touches/touches.ts'

type Touched = { touches: PathTouch[]; mentions: string[] } & Pick<
  TextTouches,
  'leftOut' | 'objects' | 'open' | 'reads' | 'unnamed'
>

/** Everything that a call touches, including what its command does. */
export async function touchedBy(call: HookCall): Promise<Touched> {
  const read = await readingsOf(call)
  const open = read.find((one) => one.open !== undefined)?.open
  const reads = read.find((one) => one.reads !== undefined)?.reads
  const unnamed = read.find((one) => one.unnamed !== undefined)?.unnamed
  // Of another tool it is not known that it gives its text to a shell.
  const isShell = call.command !== undefined
  return {
    touches: [...call.touches, ...read.flatMap(({ touches, copied }) => [...touches, ...copied])],
    mentions: [...(call.mentions ?? []), ...read.flatMap(({ names }) => names)],
    leftOut: read.flatMap(({ leftOut }) => leftOut),
    objects: read.flatMap(({ objects }) => objects),
    ...(open === undefined ? {} : isShell ? { open } : { unnamed: open }),
    ...(reads === undefined || !isShell ? {} : { reads }),
    ...(unnamed === undefined ? {} : { unnamed }),
  }
}

/**
 * Returns the paths that the commands of a call touch; each command is read once. The reader is
 * loaded only for a call that has one.
 */
export async function readingsOf(call: HookCall): Promise<readonly TextTouches[]> {
  const scripts = [...(call.command === undefined ? [] : [call.command]), ...(call.scripts ?? [])]
  if (scripts.length === 0) return []
  const cached = READ.get(call)
  if (cached) return cached
  const { readTouches } = await import('../touches/touches.ts')
  const isOther = isOtherShell(call.toolName)
  const read = scripts.map((script) => readTouches(script, { cwd: call.cwd, isOther }))
  READ.set(call, read)
  return read
}

const READ = new WeakMap<HookCall, readonly TextTouches[]>()
