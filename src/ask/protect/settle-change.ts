import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { GuardedChange } from '../accounts/model/guarded-change.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { lockProtect } from '../policy/guard.ts'
import { type Follow, onlyFor } from '../questions/end-question.ts'
import { addDetail } from '../questions/model/detail-store.ts'
import type { QuestionDetail } from '../questions/model/question.ts'
import { basisOf, makeChange } from './changes.ts'
import { takeProposal } from './model/store.ts'

/** Makes a proposed change in the transaction in which the last of those who have to agree says yes. */
export function settleChanges(config: Pick<Config, 'company'>): Follow {
  return onlyFor(
    ({ origin }) => origin === 'policy',
    async (tx, { question, at }) => {
      await lockProtect(tx, question.workspaceId)
      const proposal = await takeProposal(tx, question.id)
      const { change: wanted } = proposal ?? {}
      if (!wanted || question.status !== 'answered' || question.value !== 'yes') return
      const change = await settle(tx, wanted, { ...config, basis: proposal?.basis, at })
      await addDetail(tx, question, { change })
      return undefined
    },
  )
}

type Settling = Pick<Config, 'company'> & { basis: string | undefined; at: number }

async function settle(
  tx: Tx,
  change: GuardedChange,
  { company, basis, at }: Settling,
): Promise<NonNullable<QuestionDetail['change']>> {
  const { workspaceId } = change
  try {
    if ((await basisOf(tx, change)) !== basis) return DRIFT
    const person = change.by.id === undefined ? undefined : await findPerson(tx, change.by.id)
    const by = { workspaceId, id: person?.id ?? '', name: person?.name ?? change.by.name ?? '' }
    await makeChange(tx, change, { company, by, at })
    return { is: 'made' }
  } catch (error) {
    // Every change throws its failures before it writes anything.
    if (error instanceof Failure && error.status < 500)
      return { is: 'not_made', why: error.message }
    throw error
  }
}

const DRIFT = {
  is: 'not_made',
  why: 'What it changes is not what it was when this was proposed. Propose it again.',
} as const
