import { judgeOf } from '../../ask/wire/matcher/judge.ts'
import { PROTECTED } from '../../ask/wire/matcher/protected-paths.ts'
import { headOf } from '../touches/own-program.ts'
import { canHandOver, type HookContext, type SessionPlace, sessionOf } from './context.ts'
import { touchedBy } from './judge-call.ts'
import { lostWork } from './lost-work.ts'
import { noteMade } from './made.ts'
import { candidatesOf } from './paths/candidates.ts'
import {
  askHereAtStake,
  atStakeRefused,
  atStakeUnanswered,
  stopped,
  unansweredByRule,
} from './reasons.ts'
import { isShowable, wholeOf } from './relay-body.ts'
import { agreeTo } from './spool.ts'
import { type Stake, stakeAsk } from './stake-ask.ts'
import { SILENT, type Verdict } from './tool-call.ts'

/**
 * A call that destroys work of which there is no other copy, or that changes what switches hooks on
 * and off. A person decides, on the phone or at the terminal, and without an answer it does not
 * run. On a machine that is not connected nobody can be asked, so the hook stays silent.
 */
export async function askAtStake(context: HookContext): Promise<Verdict> {
  const { service, agreed } = context
  const place = sessionOf(context)
  if (!service || !place || agreed) return SILENT
  const stakes = [...switchesOff(context), ...(await lostWork(context, place))]
  if (stakes.length > 0) return await askAboutStakes(context, place, stakes)
  noteMade(context, place)
  return SILENT
}

/** Asks a person about a call; silent after a yes, so that it is not asked about twice. */
export async function askAboutStakes(
  context: HookContext,
  place: SessionPlace,
  stakes: Stake[],
): Promise<Verdict> {
  const { cut, call } = context
  const says = stakes.map((stake) => stake.says).join(' ')
  // The person could not see everything that a yes would allow.
  if (cut || !isShowable(call)) return { is: 'deny', reason: atStakeUnanswered(says) }
  const verdict = await decided(context, stakes)
  if (verdict.is === 'silent') agreeTo(place, call, Date.now())
  return verdict
}

async function decided(context: HookContext, stakes: Stake[]): Promise<Verdict> {
  const { call } = context
  const { askPhone } = await import('./relay-ask.ts')
  const told = await askPhone(context, stakeAsk(context, stakes), call.toolUseId)
  const says = stakes.map((stake) => stake.says).join(' ')
  switch (told.is) {
    case 'answered':
      if (told.value === 'yes') return SILENT
      return { is: 'deny', reason: atStakeRefused(says, told.note) }
    case 'stopped':
      return { is: 'deny', reason: stopped(), interrupt: true }
    case 'unanswered':
      return { is: 'deny', reason: unansweredByRule(told.reason) }
    case 'ruled':
      return { is: 'deny', reason: atStakeRefused(says, told.reason) }
    case 'nothing':
      return canHandOver(context)
        ? { is: 'ask', reason: askHereAtStake(says) }
        : { is: 'deny', reason: atStakeUnanswered(says) }
  }
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
function switchesOff({ call }: HookContext): Stake[] {
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
