/** @jsxImportSource preact */

import type { Read } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import type { PersonId } from '../../accounts/model/ids.ts'
import { ballotsOf } from '../../answering/cast-vote.ts'
import { whyNoVote } from '../../answering/why-no-vote.ts'
import { findFailover } from '../../fail-over/model/store.ts'
import { SafeText } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { isProposal, type Question } from '../../questions/model/question.ts'
import { type Fresh, namesWords, needOf, placesWords } from '../../votes/model/requirement.ts'
import {
  mayApprove,
  mayDecline,
  type Standing,
  standing,
  type Voter,
} from '../../votes/model/standing.ts'
import { listVotes } from '../../votes/model/store.ts'
import { proofWords, type Vote } from '../../votes/model/vote.ts'
import { readVoters } from '../../votes/read-voters.ts'
import { ClaimLine, type ClaimView, readClaim } from './claim.tsx'

/** Who has to agree to a question, who has, and what the person who looks may do. */
export type DecidersView = {
  words: string
  rules: string
  need: number
  /** Which yes the next one would be. */
  next: number
  votes: Vote[]
  missing: Array<{ words: string; who: Candidate[] }>
  /** Who else is told, for their information. */
  informed: string[]
  /** This person is told, and may not decide. */
  isInformed: boolean
  claim: ClaimView
  mayYes: boolean
  mayNo: boolean
  /** Why they cannot approve. */
  why: string | undefined
  /** Their own vote. */
  own: Vote | undefined
  /** They proposed it, and may withdraw it. */
  isProposer: boolean
  /** What a yes needs besides being signed in. */
  fresh: Fresh | undefined
}

/** Somebody who can still agree. */
type Candidate = {
  name: string
  isTold: boolean
  /** When their quiet hours end, if they are told then. */
  quietUntil: number | undefined
}

// More would push the buttons out of sight.
const NAMES_MAX = 6

/** Reads who has to agree; undefined where anybody may answer. */
export async function readDeciders(
  read: Read,
  question: Question,
  viewer: PersonId,
  at: number,
): Promise<DecidersView | undefined> {
  const { requirement, id, workspaceId } = question
  if (!requirement) return undefined
  const voters = await readVoters(read, workspaceId)
  const votes = await listVotes(read, id)
  const now: Standing = standing(requirement, ballotsOf(question, votes), voters)
  const voter = voters.get(viewer)
  const by = { voter, isProven: true, place: 'page' as const }
  const whyNoYes = whyNoVote(requirement, { ...by, isNo: false })
  const free = [...voters.values()].filter(
    (one) =>
      mayApprove(requirement, one) &&
      !votes.some((vote) => vote.personId === one.id && isYes(vote)),
  )
  const missing = now.is === 'open' ? now.missing : []
  const failover = await findFailover(read, workspaceId, id)
  const isTold = (who: string) => failover?.told.some(({ personId }) => personId === who) === true
  const candidateOf = ({ id: personId, name }: Voter): Candidate => ({
    name,
    isTold: isTold(personId),
    quietUntil: failover?.waiting.find((one) => one.personId === personId)?.at,
  })
  const own = votes.find(({ personId }) => personId === viewer)
  const mayYes = whyNoYes === undefined
  const mayNo = whyNoVote(requirement, { ...by, isNo: true }) === undefined
  const mayDecide = mayYes || mayNo
  const informed = [...voters.values()].filter(
    (one) => isTold(one.id) && !mayApprove(requirement, one) && !mayDecline(requirement, one),
  )
  return {
    words: placesWords(requirement.places),
    rules: requirement.rules.map(({ words }) => words).join(', '),
    need: needOf(requirement),
    next: now.is === 'open' ? now.counted.length + 1 : needOf(requirement),
    votes,
    missing: missing.map(({ from, need }) => ({
      words: `${need} more of ${namesWords(from)}`,
      who: free
        .filter((one) => mayApprove({ ...requirement, places: [{ from, need }] }, one))
        .map(candidateOf),
    })),
    informed: informed.filter((one) => one.id !== viewer).map(({ name }) => name),
    isInformed: informed.some((one) => one.id === viewer),
    mayYes,
    mayNo,
    why: whyNoYes,
    own,
    isProposer: isProposal(question) && requirement.excluded.includes(viewer),
    fresh: requirement.fresh,
    claim: await readClaim(read, question, {
      ...{ personId: viewer, mayDecide: mayDecide && !own, now: at },
    }),
  }
}

function isYes({ value }: Vote): boolean {
  return value !== 'no'
}

type Props = { view: DecidersView | undefined; question: Question; moment: Moment; open: boolean }

/** Above the buttons: who has to agree, and who has. */
export function Deciders({ view, question, moment, open }: Props) {
  if (!view) return null
  const { words, rules, votes, missing, why, own, fresh, informed, isInformed } = view
  return (
    <section class="deciders" aria-label="Who decides">
      <p>
        {open ? 'Needs ' : 'Needed '}
        <b>
          <SafeText text={words} />
        </b>{' '}
        <span class="soft">
          (rule for <SafeText text={rules} />)
        </span>
      </p>
      <ul>
        {votes.map((vote) => (
          <li>
            <Icon name={isYes(vote) ? 'check' : 'cross'} />
            <span>
              <b>
                <SafeText text={vote.name} />
              </b>{' '}
              {isYes(vote) ? 'yes' : 'no'}
              {proofWords(vote.proof) && ` ${proofWords(vote.proof)}`},{' '}
              <AtClock at={vote.at} moment={moment} />
              {vote.note && (
                <>
                  : “<SafeText text={vote.note} />”
                </>
              )}
            </span>
          </li>
        ))}
        {open &&
          missing.map((place) => (
            <li class="soft">
              <Icon name="clock" />
              <span>
                <SafeText text={`${place.words}: `} />
                <Candidates who={place.who} moment={moment} />
              </span>
            </li>
          ))}
      </ul>
      {open && fresh && (
        <p class="proof soft">
          <Icon name="key" />
          <span>{FRESH_WORDS[fresh]}</span>
        </p>
      )}
      {open && own && (
        <form method="post" action={href.withdrawVote(question.id)} class="own-vote">
          <span>Your {isYes(own) ? 'yes' : 'no'} counts.</span>
          <button type="submit" class="small">
            Withdraw
          </button>
        </form>
      )}
      {open && informed.length > 0 && (
        <p class="soft">
          Also told, for their information: <SafeText text={cutList(informed)} />.
        </p>
      )}
      {open && <ClaimLine view={view.claim} id={question.id} now={moment.now} />}
      {open && !own && why && (
        <p class="notice">{isInformed ? `You are told for your information. ${why}` : why}</p>
      )}
    </section>
  )
}

const FRESH_WORDS: Record<Fresh, string> = {
  sign_in: 'A yes counts within 15 minutes of signing in.',
  passkey: 'A yes needs a passkey, which signs this question and the answer.',
}

function Candidates({ who, moment }: { who: readonly Candidate[]; moment: Moment }) {
  if (who.length === 0) return <>nobody is left, so it cannot be decided any more</>
  const more = who.length - NAMES_MAX
  return (
    <>
      {who.slice(0, NAMES_MAX).map(({ name, isTold, quietUntil }, at) => (
        <>
          {at > 0 && ', '}
          <SafeText text={name} />
          {isTold && ' is told'}
          {quietUntil !== undefined && (
            <>
              {' '}
              has quiet hours until <AtClock at={quietUntil} moment={moment} />
            </>
          )}
        </>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  )
}

function cutList(names: readonly string[]): string {
  const more = names.length - NAMES_MAX
  return `${names.slice(0, NAMES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
