import { agreeTo } from './agreed.ts'
import { type HookContext, sessionOf } from './context.ts'
import { lostWork } from './lost-work.ts'
import { noteMade } from './made.ts'
import { askHereAtStake, atStakeRefused, atStakeUnanswered, stopped } from './reasons.ts'
import type { Stake } from './stake.ts'
import { stakeAsk } from './stake-ask.ts'
import { switchesOff } from './switches.ts'
import { SILENT, type Verdict } from './tool-call.ts'

/**
 * A call that destroys work which is kept nowhere else, or that changes what switches hooks on and
 * off: a person decides, on the phone or at the terminal, and without an answer it does not run. On
 * a machine that is not connected there is nobody to ask, and nothing is said.
 */
export async function askAtStake(context: HookContext): Promise<Verdict> {
  const { service, agreed, cut } = context
  const place = sessionOf(context)
  if (!service || !place || agreed) return SILENT
  const stakes = [...switchesOff(context), ...(await lostWork(context, place))]
  if (stakes.length === 0) {
    noteMade(context, place)
    return SILENT
  }
  const says = stakes.map((stake) => stake.says).join(' ')
  // Nobody could see all of what they would agree to.
  if (cut) return { is: 'deny', reason: atStakeUnanswered(says) }
  const verdict = await decided(context, stakes)
  if (verdict.is === 'silent') agreeTo(place, context.call, Date.now())
  return verdict
}

async function decided(context: HookContext, stakes: Stake[]): Promise<Verdict> {
  const { client, call } = context
  const { askPhone } = await import('./relay-ask.ts')
  const told = await askPhone(context, stakeAsk(context, stakes), call.toolUseId)
  const says = stakes.map((stake) => stake.says).join(' ')
  switch (told.is) {
    case 'answered':
      if (told.value === 'yes') return SILENT
      return { is: 'deny', reason: atStakeRefused(says, told.note) }
    case 'stopped':
      return { is: 'deny', reason: stopped(), interrupt: true }
    case 'ruled':
      return { is: 'deny', reason: atStakeRefused(says, told.reason) }
    case 'nothing':
      return client.canAsk(call)
        ? { is: 'ask', reason: askHereAtStake(says) }
        : { is: 'deny', reason: atStakeUnanswered(says) }
  }
}
