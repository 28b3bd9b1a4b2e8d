import { judgeOf } from '../../ask/wire/matcher/judge.ts'
import { PROTECTED } from '../../ask/wire/matcher/protected-paths.ts'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import { candidatesOf } from '../paths/candidates.ts'
import { type HookContext, sessionOf } from '../session/context.ts'
import { headOf } from '../touches/file-head.ts'
import { noteCreatedFiles } from './created-files.ts'
import { lostWork } from './lost-work.ts'
import type { Stake } from './stake-ask.ts'
import { takesGate } from './takes-gate.ts'
import { touchedBy } from './touched.ts'

/**
 * A call that destroys work of which there is no other copy, or that changes what switches hooks on
 * and off. A person decides, on the phone or at the terminal, and without an answer it does not
 * run. On a machine that is not connected nobody can be asked, so the hook stays silent.
 */
export async function askAtStake(context: HookContext): Promise<Verdict> {
  const { service, agreed } = context
  const place = sessionOf(context)
  if (!service || !place || agreed) return SILENT
  const stakes = [
    ...(await switchesOff(context)),
    ...(await takesGate(context)),
    ...(await lostWork(context, place)),
  ]
  if (stakes.length > 0) {
    return await (await import('./ask-stakes.ts')).askAboutStakes(context, place, stakes)
  }
  await noteCreatedFiles(context, place)
  return SILENT
}

const CLIENT_FILES = PROTECTED.filter((path) => !path.startsWith('**/.git/'))
const judge = judgeOf({
  allowedPaths: [],
  offLimitsPaths: [],
  widened: [],
  protectedPaths: CLIENT_FILES,
})
// Settings that switch off a client's hooks, or replace our program.
const SWITCH =
  /disable_?all_?hooks|BUN_BE_BUN|BUN_OPTIONS|BUN_INSPECT|NODE_OPTIONS|hooks\w*["']?\s*[:=]\s*(\{\s*\}|\[\s*\]|null|false|\{\s*["']?enabled["']?\s*[:=]\s*false)/i
const OURS = /\bbeckon\b/i

/** Client settings that this call would change so that the client may no longer run our hook. */
async function switchesOff({ call }: HookContext): Promise<Stake[]> {
  const { touches } = await touchedBy(call)
  const settings = touches.flatMap(({ path, touch }) => {
    if (touch === 'read') return []
    const { paths, absolute } = candidatesOf(path, { cwd: call.cwd, roots: call.roots })
    return judge(paths, touch).is === 'off_limits' ? [{ path, touch, absolute }] : []
  })
  if (settings.length === 0) return []
  // Loaded only for the few calls that touch such a file.
  const { wholeOf } = await import('../calls/show-call.ts')
  const mentions = SWITCH.test(wholeOf(call))
  const names = settings.flatMap(({ path, touch, absolute }) => {
    const has = OURS.test(headOf(absolute) ?? '')
    const keeps = call.command === undefined && keepsOurs(call.toolInput)
    return mentions || (has && !(touch === 'write' && keeps)) ? [path] : []
  })
  if (names.length === 0) return []
  return [{ says: 'This may switch off the hook that watches this agent', names }]
}

/** Returns true if our entry is still there after an edit of the file. */
function keepsOurs(input: unknown): boolean {
  const { content, old_string, new_string, edits } = (input ?? {}) as Record<string, unknown>
  if (typeof content === 'string') return OURS.test(content)
  if (Array.isArray(edits)) return edits.every(keepsOurs)
  if (typeof old_string !== 'string' || typeof new_string !== 'string') return false
  return !OURS.test(old_string) || OURS.test(new_string)
}
