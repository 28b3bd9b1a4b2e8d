// Why the vote of a person does not count: the codes that programs read.

import type { OwnFailure } from '../../../platform/failure.ts'

export const NOT_A_DECIDER = {
  code: 'not_a_decider',
  status: 403,
  title: 'Others decide this',
} as const satisfies OwnFailure

export const IS_ASKER = {
  code: 'is_asker',
  status: 403,
  title: 'Whoever asks does not decide',
} as const satisfies OwnFailure

export const PROOF_NEEDED = {
  code: 'proof_needed',
  status: 403,
  title: 'This needs another proof that it is you',
} as const satisfies OwnFailure

export const VOTE_REFUSALS = [NOT_A_DECIDER, IS_ASKER, PROOF_NEEDED] as const
