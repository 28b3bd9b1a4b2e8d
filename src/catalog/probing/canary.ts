import { isUp } from '../facts/answers/fact.ts'
import type { Tried } from '../facts/answers/outcome.ts'

/** One target of a round: where it is, whether it was up before, and how it went. */
export type Voter = { target: string; wasUp: boolean | undefined; tried: Tried }

// Two hosts can be down at once; of three, two are not by chance.
const VOTERS_MIN = 3

/**
 * Why a round says more about us than about those that were asked; undefined when it does not. Most
 * of the hosts that were up before are down now, or, where nothing was up, every host is. `canary`
 * is whether the address that is always there answered; undefined without one.
 */
export function whyDiscarded(
  voters: readonly Voter[],
  canary: boolean | undefined,
): string | undefined {
  if (!voters.some(({ tried }) => isUp(tried.outcome) === false)) return undefined
  if (canary === false) return 'The canary does not answer, so the trouble is on this side.'
  const before = hostsOf(voters.filter(({ wasUp }) => wasUp))
  const [hosts, share] = before.size > 0 ? [before, 0.5] : [hostsOf(voters), 1]
  const down = [...hosts.values()].filter((isThere) => !isThere).length
  if (hosts.size < VOTERS_MIN || !isMost(down, hosts.size, share)) return undefined
  return `${down} of ${hosts.size} hosts do not answer, so the trouble is on this side.`
}

function isMost(down: number, all: number, share: number): boolean {
  return share === 1 ? down === all : down > all * share
}

/** Whether anything of a host answered; hosts that said nothing have no vote. */
function hostsOf(voters: readonly Voter[]): Map<string, boolean> {
  const hosts = new Map<string, boolean>()
  for (const { target, tried } of voters) {
    const up = isUp(tried.outcome)
    if (up === undefined) continue
    const host = URL.parse(target)?.host ?? target
    hosts.set(host, up || (hosts.get(host) ?? false))
  }
  return hosts
}
