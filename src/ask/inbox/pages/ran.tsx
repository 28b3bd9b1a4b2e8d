/** @jsxImportSource preact */

import { AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { ActionOutcome, Permit } from '../../permits/model/permit.ts'

const WORDS: Record<ActionOutcome, string> = {
  succeeded: 'It ran',
  failed: 'It ran and failed',
  not_run: 'It did not run',
  not_known: 'Whether it ran is not known',
}

/** What became of the action after the yes, as the agent reported it. */
export function Ran({ permit, moment }: { permit: Permit | undefined; moment: Moment }) {
  if (permit?.consumedAt === undefined) return null
  const { outcome, detail, outcomeAt = permit.consumedAt } = permit
  const isTimed = outcome !== 'not_run' && outcome !== 'not_known'
  return (
    <p class="ran">
      {outcome === undefined ? 'It was begun' : WORDS[outcome]}
      {isTimed && (
        <>
          {' '}
          at <AtClock at={outcomeAt} moment={moment} />
        </>
      )}
      {detail ? `: ${detail}` : '.'}
    </p>
  )
}
