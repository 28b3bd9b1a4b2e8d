import { PEOPLE_MAX } from '../people/invite-person.ts'
import type { Provider } from './model/provider.ts'

/** Why somebody whom a provider has proven is not let in. */
export type Refusal =
  | 'stranger'
  | 'switched_off'
  | 'groups'
  | 'groups_unknown'
  | 'unverified'
  | 'taken'
  | 'expired'
  | 'connect'
  | 'no_address'
  | 'full'

/** The sentence for whoever was refused: what it means, and what they can do. */
export function refusalWords(why: Refusal, provider?: Pick<Provider, 'name'>): string {
  const name = provider?.name ?? 'the provider'
  return {
    stranger: 'You have no access here. Ask an owner of this workspace to invite you.',
    switched_off: 'Your access here was switched off. Ask an owner of this workspace.',
    groups: 'You are in none of the groups that have access here. Ask whoever gives you groups.',
    groups_unknown:
      'Your groups did not come along, so it is not known whether you have access. Ask an owner to look at the groups under Settings, Company sign-in.',
    unverified: `Somebody signs in here with your address, and ${name} does not say that it is verified. If it is you, sign in as before, and connect your account under Settings, Company sign-in.`,
    taken: `Somebody here has this address and another account of ${name}. An owner can disconnect that one under Settings, Company sign-in.`,
    expired: 'Your invitation has expired. Ask for a new one.',
    connect: `You have an account here already. Sign in as before, and connect ${name} under Settings, Company sign-in.`,
    no_address: `${name} does not say that your address is verified, and only addresses of some domains may join. Ask an owner to invite you.`,
    full: `There are ${PEOPLE_MAX} people here, the most there may be, so that nobody can join. Ask an owner to remove somebody.`,
  }[why]
}
