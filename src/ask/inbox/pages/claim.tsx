/** @jsxImportSource preact */

import type { Db, Read } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { findPerson } from '../../accounts/model/person-store.ts'
import { findClaim, hasClaimed } from '../../claims/model/store.ts'
import { SafeText } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Question } from '../../questions/model/question.ts'

/** Who looks after a question, and whether this person may. */
export type ClaimView = {
  holder: { name: string; until: number; isViewer: boolean } | undefined
  mayClaim: boolean
  mayDecide: boolean
}

/** Reads the claim for somebody who `mayDecide`, or may not. */
export async function readClaim(
  read: Read,
  { id: questionId }: Pick<Question, 'id'>,
  { personId, mayDecide, now }: { personId: string; mayDecide: boolean; now: number },
): Promise<ClaimView> {
  const claim = await findClaim(read, questionId, now)
  if (!claim) {
    const mayClaim = mayDecide && !(await hasClaimed(read, { questionId, personId }))
    return { holder: undefined, mayClaim, mayDecide }
  }
  const name = (await findPerson(read, claim.personId))?.name ?? 'Somebody'
  const isViewer = claim.personId === personId
  return { holder: { name, until: claim.until, isViewer }, mayClaim: false, mayDecide }
}

/** The name of somebody else who looks after a question now. */
export async function otherHolder(
  { db }: { db: Db },
  { person, moment }: SignedIn,
  question: Question,
): Promise<string | undefined> {
  if (!question.requirement) return undefined
  const claim = await findClaim(db.read, question.id, moment.now)
  if (!claim || claim.personId === person.id) return undefined
  return (await findPerson(db.read, claim.personId))?.name ?? 'Somebody'
}

const MINUTE_MS = 60_000

type Props = { view: ClaimView; id: Question['id']; now: number }

/** Live of its own, so that the question whether somebody is sure stays when a claim begins or ends. */
export function ClaimLine(props: Props) {
  const { holder, mayClaim } = props.view
  return (
    <div id="claim" data-live="whole" data-version={holder ? holder.until : String(mayClaim)}>
      <Line {...props} />
    </div>
  )
}

/** A question is taken once: whoever gives it back decides it, or leaves it to the others. */
function OwnClaim({ id, minutes }: { id: Question['id']; minutes: number }) {
  return (
    <form method="post" action={href.claim(id)} class="own-vote">
      <span>You look after this, {minutes} min. Nobody else is told meanwhile.</span>
      <button type="submit" class="small" name="release" value="yes">
        Give it back
      </button>
    </form>
  )
}

/** "Taken by Ana, 4 min", or the button that takes it. */
function Line({ view: { holder, mayClaim, mayDecide }, id, now }: Props) {
  if (holder) {
    const minutes = Math.ceil((holder.until - now) / MINUTE_MS)
    if (holder.isViewer) return <OwnClaim id={id} minutes={minutes} />
    return (
      <p class="notice">
        <Icon name="clock" />
        <span>
          Taken by <SafeText text={holder.name} />, {minutes} min.
          {mayDecide && ' You may decide it all the same.'}
        </span>
      </p>
    )
  }
  if (!mayClaim) return null
  return (
    <form method="post" action={href.claim(id)} class="own-vote">
      <span class="soft">Looking into it? For five minutes nobody else is told.</span>
      <button type="submit" class="small">
        I am on it
      </button>
    </form>
  )
}
