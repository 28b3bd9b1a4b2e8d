import {
  IS_ASKER,
  NOT_A_DECIDER,
  PROOF_NEEDED,
  type VOTE_REFUSALS,
} from '../votes/model/refusals.ts'
import {
  type Fresh,
  NAMES_SHOWN,
  namesWords,
  PROTECT,
  type Requirement,
  takesYes,
  type VotePlace,
} from '../votes/model/requirement.ts'
import { mayApprove, mayDecide, mayDecline, type Voter } from '../votes/model/standing.ts'

/** Somebody who wants to vote: who they are, and how that is known. */
type Voting = {
  voter: Voter | undefined
  isNo: boolean
  /** They are signed in, or hold an account in a chat that they linked. */
  isProven: boolean
  /** Where they vote. */
  place: VotePlace
}

/** Why a vote does not count, for programs and in words. */
type Refusal = { kind: (typeof VOTE_REFUSALS)[number]; words: string }

/** Why this person's vote does not count; undefined if it does. */
export function whyNoVote(requirement: Requirement, voting: Voting): Refusal | undefined {
  const { voter, isNo, isProven } = voting
  const deciders = decidersWords(requirement)
  const notOne = notAmong(`You are not among those who may decide this: ${deciders}.`)
  if (!voter)
    return isProven ? notOne : notAmong(`Only ${deciders} may decide this. Sign in to vote.`)
  if (requirement.excluded.includes(voter.id)) {
    const isProposal = requirement.rules.some(({ id }) => id === PROTECT)
    return { kind: IS_ASKER, words: isProposal ? OWN_PROPOSAL : OWN_AGENT }
  }
  const isAmong = isNo ? mayDecide(requirement, voter) : mayApprove(requirement, voter)
  if (!isAmong) {
    return !isNo && mayDecline(requirement, voter)
      ? notAmong(`You may decline this; only ${deciders} may approve it.`)
      : notOne
  }
  return isNo ? undefined : whyNoYesHere(requirement, voting)
}

function notAmong(words: string): Refusal {
  return { kind: NOT_A_DECIDER, words }
}

/** Why somebody who may say yes may not say it so, or not there. */
function whyNoYesHere(requirement: Requirement, { isProven, place }: Voting): Refusal | undefined {
  const { fresh } = requirement
  if (!isProven || (fresh && place === 'chat')) {
    const words = `A yes to this needs ${fresh ? PROOFS[fresh] : 'a sign-in'}. Open it and vote on its page.`
    return { kind: PROOF_NEEDED, words }
  }
  if (takesYes(requirement, place)) return undefined
  const words =
    place === 'page'
      ? 'A yes to this is given in the chat, by an account that you linked.'
      : 'A yes to this is given on its page. Open it, signed in, and vote there.'
  return { kind: PROOF_NEEDED, words }
}

const OWN_AGENT =
  'Your own agent asks this, so that others decide it. You can stop the agent instead.'

const OWN_PROPOSAL = 'You proposed this, so that others decide it. You can withdraw it.'

const PROOFS: Record<Fresh, string> = {
  sign_in: 'a fresh sign-in, which nothing but its page takes',
  passkey: 'a passkey, which nothing but its page takes',
}

/** Words who may approve: `engineers or managers`. */
function decidersWords({ places }: Requirement): string {
  const names = places.flatMap(({ from }) => from)
  const unique = names.filter(({ id }, at) => names.findIndex((one) => one.id === id) === at)
  return namesWords(unique, NAMES_SHOWN)
}
