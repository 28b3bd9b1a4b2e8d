import { isShowable } from '../calls/show-call.ts'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import { canHandOver, type HookContext, type SessionPlace } from '../session/context.ts'
import { askHereAtStake, atStakeRefused, atStakeUnanswered, stopped } from '../session/reasons.ts'
import { askPhone, unansweredWords } from './relay-ask.ts'
import { agreeTo } from './spool.ts'
import { type Stake, stakeAsk } from './stake-ask.ts'

/** Asks a person about a call; silent after a yes, so that it is not asked about twice. */
export async function askAboutStakes(
  context: HookContext,
  place: SessionPlace,
  stakes: Stake[],
): Promise<Verdict> {
  const { cut, call } = context
  const says = allOf(stakes)
  // The person could not see everything that a yes would allow.
  if (cut || !isShowable(call)) return { is: 'deny', reason: atStakeUnanswered(says) }
  const verdict = await decided(context, stakes)
  if (verdict.is === 'silent') agreeTo(place, call, Date.now())
  return verdict
}

async function decided(context: HookContext, stakes: Stake[]): Promise<Verdict> {
  const { call } = context
  const answer = await askPhone(context, stakeAsk(context, stakes), call.toolUseId)
  const says = allOf(stakes)
  switch (answer.is) {
    case 'answered':
      // The question has named this command to the rules, as the one for a rule would.
      if (answer.byVotes && call.command !== undefined) context.approved = true
      if (answer.value === 'yes') return SILENT
      return { is: 'deny', reason: atStakeRefused(says, answer.note) }
    case 'stopped':
      return { is: 'deny', reason: stopped(), interrupt: true }
    case 'unanswered':
      return { is: 'deny', reason: unansweredWords(answer) }
    case 'ruled':
      return { is: 'deny', reason: atStakeRefused(says, answer.reason) }
    case 'nothing':
    case 'no_rule':
      return canHandOver(context)
        ? { is: 'ask', reason: askHereAtStake(says) }
        : { is: 'deny', reason: atStakeUnanswered(says) }
  }
}

function allOf(stakes: readonly Stake[]): string {
  return stakes.map(({ says }) => says).join('; ')
}
