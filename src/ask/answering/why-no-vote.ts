import {
  type Fresh,
  namesWords,
  PROTECT,
  type Requirement,
  takesYes,
  type VotePlace,
} from '../votes/model/requirement.ts'
import { mayApprove, mayDecline, type Voter } from '../votes/model/standing.ts'

/** Somebody who wants to vote: who they are, and how that is known. */
type Voting = {
  voter: Voter | undefined
  isNo: boolean
  /** They are signed in, or hold an account in a chat that they linked. */
  isProven: boolean
  /** Where they vote. */
  place: VotePlace
}

/** Why this person's vote does not count; undefined if it does. */
export function whyNoVote(requirement: Requirement, voting: Voting): string | undefined {
  const { voter, isNo, isProven } = voting
  const deciders = decidersWords(requirement)
  if (!voter && !isProven) return `Only ${deciders} may decide this. Sign in to vote.`
  if (!voter) return notAmong(deciders)
  if (requirement.excluded.includes(voter.id)) {
    return requirement.rules.some(({ id }) => id === PROTECT) ? IS_PROPOSER : IS_ASKER
  }
  const isAmong = isNo
    ? mayDecline(requirement, voter) || mayApprove(requirement, voter)
    : mayApprove(requirement, voter)
  if (!isAmong) {
    return !isNo && mayDecline(requirement, voter)
      ? `You may decline this; only ${deciders} may approve it.`
      : notAmong(deciders)
  }
  if (isNo) return undefined
  const { fresh } = requirement
  if (!isProven || (fresh && voting.place === 'chat')) {
    return `A yes to this needs ${fresh ? PROOFS[fresh] : 'a sign-in'}. Open it and vote on its page.`
  }
  if (!takesYes(requirement, voting.place)) {
    return voting.place === 'page'
      ? 'A yes to this is given in the chat, by an account that you linked.'
      : 'A yes to this is given on its page. Open it, signed in, and vote there.'
  }
  return undefined
}

function notAmong(deciders: string): string {
  return `You are not among those who may decide this: ${deciders}.`
}

/** Names whose agent asks, as the reason. */
const IS_ASKER =
  'Your own agent asks this, so that others decide it. You can stop the agent instead.'

const IS_PROPOSER = 'You proposed this, so that others decide it. You can withdraw it.'

const PROOFS: Record<Fresh, string> = {
  sign_in: 'a fresh sign-in, which nothing but its page takes',
  passkey: 'a passkey, which nothing but its page takes',
}

/** Words who may approve: `engineers or managers`. */
function decidersWords({ places }: Requirement): string {
  const names = places.flatMap(({ from }) => from)
  const unique = names.filter(({ id }, at) => names.findIndex((one) => one.id === id) === at)
  return namesWords(unique)
}
