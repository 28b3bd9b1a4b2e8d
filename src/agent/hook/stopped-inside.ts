import { basename } from 'node:path'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import { type HookContext, sessionOf } from '../session/context.ts'
import { findScope } from '../session/kept-scope.ts'
import { stoppedByKernel } from '../session/reasons.ts'
import { startsInScope } from './how-contained.ts'
import { judgeUnder } from './judge-call.ts'
import { tellOnce } from './tell-person.ts'

const NAMED_MAX = 5
const OUTPUT_MAX = 64 * 1024

// `cannot touch 'a': Read-only file system`, `[Errno 30] Read-only file system: 'a'`,
// `EROFS: read-only file system, open 'a'`.
const WHY =
  '(Read-only file system|Permission denied|Operation not permitted|Device or resource busy|Invalid cross-device link)'
const SAYS: readonly RegExp[] = [
  new RegExp(`(?:'|"|‘|\`)([^'"’\`\\n]+)(?:'|"|’|\`): ${WHY}`, 'gi'),
  new RegExp(`(?:^|[\\s:])([^\\s:'"’]*[/.][^\\s:'"’]*): ${WHY}`, 'gim'),
  // A word that does not look like a path is one only in its place: `Failed to open stream: …` has none.
  new RegExp(`(?:: |create )(?!(?:error|warning|fatal):)([\\w-]+): ${WHY}`, 'gi'),
  new RegExp(`${WHY}: '([^'\\n]+)'`, 'gi'),
  new RegExp(`${WHY}, \\w+ '([^'\\n]+)'`, 'gi'),
]

// Programs that go through folders, and say of each file that they cannot open it. Git says it
// without its name.
const WALKERS: ReadonlySet<string> = new Set([
  'ack',
  'ag',
  'chmod',
  'chown',
  'cp',
  'du',
  'egrep',
  'error',
  'fatal',
  'fd',
  'fgrep',
  'find',
  'git',
  'grep',
  'ls',
  'rg',
  'rsync',
  'tar',
  'tree',
  'ugrep',
  'warning',
  'zip',
])

/**
 * After a command that ran in the scope: what the kernel did not let it change or read, as far as
 * its output says so. The model is told how to ask for it, and a person is told once for each path.
 * Never throws.
 */
export function stoppedInside(context: HookContext): Verdict {
  try {
    const { output, command } = context.call
    const place = sessionOf(context)
    if (!place || !output || command === undefined || !startsInScope(context)) return SILENT
    const state = findScope(place, Date.now())
    if (state.is !== 'kept' || !state.kept.contract) return SILENT
    const judge = judgeUnder(context, state.kept)
    const stopped = new Map<string, string | undefined>()
    for (const { path, isWriting, program } of pathsInOutput(output.slice(-OUTPUT_MAX))) {
      // A program that walks through a folder did not name the files in it.
      if (!isWriting && WALKERS.has(program) && !command.includes(basename(path))) continue
      const judgement = judge({ path, touch: 'read' })
      const written = judge({ path, touch: 'write' })
      if (judgement.is === 'off_limits') stopped.set(judgement.path, judgement.rule)
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

type DeniedPath = { path: string; isWriting: boolean; program: string }

function pathsInOutput(output: string): DeniedPath[] {
  return SAYS.flatMap((pattern) =>
    [...output.matchAll(pattern)].map((match) => {
      const [, one = '', other = ''] = match
      const isFirst = new RegExp(`^${WHY}$`, 'i').test(other)
      const [path, why] = isFirst ? [one, other] : [other, one]
      const start = match[0].startsWith('\n') ? match.index + 1 : match.index
      const line = output.slice(start === 0 ? 0 : output.lastIndexOf('\n', start - 1) + 1)
      const program = /^(?:\S*\/)?([\w-]+):/.exec(line)?.[1] ?? ''
      return { path, isWriting: /read-only|busy|cross/i.test(why), program }
    }),
  )
}
