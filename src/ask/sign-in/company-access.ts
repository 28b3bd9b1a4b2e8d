import { Failure } from '../../platform/failure.ts'
import type { Proof } from '../accounts/model/sign-in-store.ts'

/** Who may sign in with a password or a passkey of this server. */
export const LOCAL_SIGN_IN = ['everybody', 'owners', 'nobody'] as const
export type LocalSignIn = (typeof LOCAL_SIGN_IN)[number]

/** A provider as the sign-in page shows it: a link, since a form may not lead to another site. */
export type Way = { id: string; name: string }

/** What the sign-in through a company's provider means for everybody's sign-ins. */
export type CompanyAccess = {
  localSignIn(): Promise<LocalSignIn>
  ways(): Promise<readonly Way[]>
  /**
   * Returns true if a sign-in whose proof is over goes on without one, because its provider cannot
   * be reached.
   */
  isExcused(proof: Pick<Proof, 'provider' | 'until'>): Promise<boolean>
}

/** Nothing but local sign-in. */
export const NO_COMPANY: CompanyAccess = {
  localSignIn: async () => 'everybody',
  ways: async () => [],
  isExcused: async () => false,
}

/** The refusal of a password or passkey; `ways` are the names of the providers. */
export function localRefusal(local: LocalSignIn, ways: readonly Way[]): Failure {
  const names = ways.map(({ name }) => name).join(' or ')
  const who = local === 'owners' ? 'Only owners sign in' : 'Nobody signs in'
  return new Failure(
    'forbidden',
    `${who} here with a password or a passkey. Use ${names || 'the provider of your company'}.`,
  )
}

export const SWITCHED_OFF = new Failure(
  'forbidden',
  'Your access here was switched off. Ask an owner of this workspace, or whoever runs your directory.',
)
