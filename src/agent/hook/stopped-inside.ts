import { type HookContext, sessionOf } from './context.ts'
import { startsInScope } from './how-contained.ts'
import { judgeUnder } from './judge-call.ts'
import { findScope } from './kept-scope.ts'
import { stoppedByKernel } from './reasons.ts'
import { tellOnce } from './tell-person.ts'
import { SILENT, type Verdict } from './tool-call.ts'

const NAMED_MAX = 5
const OUTPUT_MAX = 64 * 1024

// `cannot touch 'a': Read-only file system`, `[Errno 30] Read-only file system: 'a'`,
// `EROFS: read-only file system, open 'a'`.
const WHY =
  '(Read-only file system|Permission denied|Operation not permitted|Device or resource busy|Invalid cross-device link)'
const SAYS: readonly RegExp[] = [
  new RegExp(`(?:'|"|‘|\`)([^'"’\`\\n]+)(?:'|"|’|\`): ${WHY}`, 'gi'),
  new RegExp(`(?:^|[\\s:])([^\\s:'"’]+): ${WHY}`, 'gim'),
  new RegExp(`${WHY}: '([^'\\n]+)'`, 'gi'),
  new RegExp(`${WHY}, \\w+ '([^'\\n]+)'`, 'gi'),
]

/**
 * After a command that ran in the scope: what the kernel did not let it change or read, as far as
 * its output says so. The model is told how to ask for it, and a person is told once for each path.
 * Never throws.
 */
export function stoppedInside(context: HookContext): Verdict {
  try {
    const { output, command } = context.call
    const place = sessionOf(context)
    if (!place || !output || command === undefined || !startsInScope(place.client)) return SILENT
    const found = findScope(place, Date.now())
    if (found.is !== 'kept' || !found.kept.contract) return SILENT
    const judge = judgeUnder(context, found.kept)
    const stopped = new Map<string, string | undefined>()
    for (const { path, isWriting } of named(output.slice(-OUTPUT_MAX))) {
      const judged = judge({ path, touch: 'read' })
      const written = judge({ path, touch: 'write' })
      if (judged.is === 'off_limits') stopped.set(judged.path, judged.rule)
      else if (written.is === 'off_limits') stopped.set(written.path, written.rule)
      else if (written.is === 'outside') {
        const outside = written.places[0]?.path ?? path
        // Outside the project, file permissions cause the same error when reading.
        if (isWriting || !outside.startsWith('/')) stopped.set(outside, undefined)
      }
      if (stopped.size === NAMED_MAX) break
    }
    if (stopped.size === 0) return SILENT
    for (const [path, rule] of stopped) tellOnce(context, place, { path, rule })
    return { is: 'context', text: stoppedByKernel(stopped) }
  } catch {
    return SILENT
  }
}

function named(output: string): Array<{ path: string; isWriting: boolean }> {
  return SAYS.flatMap((pattern) =>
    [...output.matchAll(pattern)].map(([, one = '', other = '']) => {
      const isFirst = new RegExp(`^${WHY}$`, 'i').test(other)
      const [path, why] = isFirst ? [one, other] : [other, one]
      return { path, isWriting: /read-only|busy|cross/i.test(why) }
    }),
  )
}
