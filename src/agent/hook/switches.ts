import { judgeOf } from '../../ask/wire/matcher/judge.ts'
import { PROTECTED } from '../../ask/wire/matcher/protected-paths.ts'
import { headOf } from '../shell/own-program.ts'
import type { HookContext } from './context.ts'
import { touchedBy } from './judge-call.ts'
import { candidatesOf } from './paths/candidates.ts'
import { wholeOf } from './relay-body.ts'
import type { Stake } from './stake.ts'

const CLIENT_FILES = PROTECTED.filter((path) => !path.startsWith('**/.git/'))
const judge = judgeOf({
  allowedPaths: [],
  offLimitsPaths: [],
  widened: [],
  protectedPaths: CLIENT_FILES,
})
// How clients are told to run no hooks, and what makes another program of ours.
const SWITCH =
  /disable_?all_?hooks|BUN_BE_BUN|BUN_OPTIONS|BUN_INSPECT|NODE_OPTIONS|hooks\w*["']?\s*[:=]\s*(\{\s*\}|\[\s*\]|null|false|\{\s*["']?enabled["']?\s*[:=]\s*false)/i
const OURS = /\bbeckon\b/i

/** Settings of a client that would be changed so that it may run our hook no more. */
export function switchesOff({ call }: HookContext): Stake[] {
  const said = wholeOf(call)
  const { touches } = touchedBy(call)
  const names = touches.flatMap(({ path, touch }) => {
    if (touch === 'read') return []
    const { paths, absolute } = candidatesOf(path, { cwd: call.cwd, roots: call.roots })
    if (judge(paths, touch).is !== 'off_limits') return []
    const has = OURS.test(headOf(absolute) ?? '')
    const keeps = call.command === undefined && keepsOurs(call.toolInput)
    return SWITCH.test(said) || (has && !(touch === 'write' && keeps)) ? [path] : []
  })
  if (names.length === 0) return []
  return [{ says: 'This may switch off the hook that watches this agent', names }]
}

/** Whether our entry is still there after an edit of the file. */
function keepsOurs(input: unknown): boolean {
  const { content, old_string, new_string, edits } = (input ?? {}) as Record<string, unknown>
  if (typeof content === 'string') return OURS.test(content)
  if (Array.isArray(edits)) return edits.every(keepsOurs)
  if (typeof old_string !== 'string' || typeof new_string !== 'string') return false
  return !OURS.test(old_string) || OURS.test(new_string)
}
