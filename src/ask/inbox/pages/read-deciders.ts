import type { Read } from '../../../platform/db/database.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import { findPerson } from '../../accounts/model/person-store.ts'
import { ballotsOf } from '../../answering/cast-vote.ts'
import { whyNoVote } from '../../answering/why-no-vote.ts'
import { findFailover } from '../../fail-over/model/store.ts'
import { listGroups } from '../../groups/model/store.ts'
import { readOwner } from '../../policy/requirement.ts'
import { isProposal, type Question } from '../../questions/model/question.ts'
import {
  type Fresh,
  isGroupId,
  NAMES_SHOWN,
  namesWords,
  needOf,
  type Places,
  placesWords,
  type Requirement,
} from '../../votes/model/requirement.ts'
import {
  canBeDecided,
  mayApprove,
  mayDecide,
  type Standing,
  standing,
  type Voter,
  type Voters,
} from '../../votes/model/standing.ts'
import { listVotes } from '../../votes/model/store.ts'
import type { Vote } from '../../votes/model/vote.ts'
import { readVoters } from '../../votes/read-voters.ts'
import { type ClaimView, readClaim } from './claim.tsx'

/** Who has to agree to a question, who has, and what the person who looks may do. */
export type DecidersView = {
  words: string
  rules: string
  /** Whose agent asks: a person or a group, by name; undefined for the person who looks. */
  asker: string | undefined
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
  /** A yes of theirs would count now. */
  mayYes: boolean
  mayNo: boolean
  /** Why they cannot approve. */
  why: string | undefined
  /** Their own vote, and what it does. */
  own: { vote: Vote; words: string } | undefined
  /** They proposed it, and may withdraw it. */
  isProposer: boolean
  /** What a yes needs besides being signed in. */
  fresh: Fresh | undefined
}

/** Somebody who can still agree. */
export type Candidate = {
  name: string
  isTold: boolean
  /** When their quiet hours end, if they are told then. */
  quietUntil: number | undefined
}

type Ballots = ReturnType<typeof ballotsOf>

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
  const ballots = ballotsOf(question, votes)
  const now: Standing = standing(requirement, ballots, voters)
  const voter = voters.get(viewer)
  const by = { voter, isProven: true, place: 'page' as const }
  const own = votes.find(({ personId }) => personId === viewer)
  const isNo = own !== undefined && question.type === 'confirm' && own.value === 'no'
  const why =
    whyNoVote(requirement, { ...by, isNo: false })?.words ??
    whyNothing({ requirement, ballots, voters, now, viewer })
  const mayNo = whyNoVote(requirement, { ...by, isNo: true }) === undefined
  const failover = await findFailover(read, workspaceId, id)
  const isTold = (who: string) => failover?.told.some(({ personId }) => personId === who) === true
  const candidateOf = ({ id: personId, name }: Voter): Candidate => ({
    name,
    isTold: isTold(personId),
    quietUntil: failover?.waiting.find((one) => one.personId === personId)?.at,
  })
  const mayYes = why === undefined && (own === undefined || isNo)
  const informed = [...voters.values()].filter(
    (one) => isTold(one.id) && !mayDecide(requirement, one),
  )
  const votedYes = new Set(ballots.flatMap((one) => (one.value === 'no' ? [] : one.personId)))
  const free = [...voters.values()].filter(
    (one) => mayApprove(requirement, one) && !votedYes.has(one.id),
  )
  return {
    words: placesWords(requirement.places, NAMES_SHOWN),
    rules: requirement.rules.map(({ words }) => words).join(', '),
    asker: isProposal(question) ? undefined : await readAsker(read, question, viewer),
    need: needOf(requirement),
    next: now.is === 'open' ? now.counted.length + 1 : needOf(requirement),
    votes,
    missing: (now.is === 'open' ? now.missing : []).map((place) => ({
      words: missingWords(place, requirement),
      who: free
        .filter((one) => mayApprove({ ...requirement, places: [place] }, one))
        .map(candidateOf),
    })),
    informed: informed.filter((one) => one.id !== viewer).map(({ name }) => name),
    isInformed: informed.some((one) => one.id === viewer),
    mayYes,
    mayNo: mayNo && !isNo,
    why,
    own: own && { vote: own, words: ownWords(question, own, now) },
    isProposer: isProposal(question) && requirement.excluded.includes(viewer),
    fresh: requirement.fresh,
    claim: await readClaim(read, question, {
      ...{ personId: viewer, mayDecide: (mayYes || mayNo) && !own, now: at },
    }),
  }
}

/** The name of whose token it is. */
async function readAsker(read: Read, question: Question, viewer: PersonId) {
  const owner = await readOwner(read, question.tokenId)
  if (owner === undefined || owner === viewer) return undefined
  if (!isGroupId(owner)) return (await findPerson(read, owner))?.name
  const groups = await listGroups(read, question.workspaceId)
  return groups.find(({ id }) => id === owner)?.name
}

type Standpoint = {
  requirement: Requirement
  ballots: Ballots
  voters: Voters
  now: Standing
  viewer: PersonId
}

/** Why a yes of somebody who may vote would do nothing now. */
function whyNothing({ requirement, ballots, voters, now, viewer }: Standpoint) {
  if (now.is !== 'open') return undefined
  if (!canBeDecided(requirement, voters)) {
    return 'It cannot be approved any more: too few people are left who may agree.'
  }
  if (now.counted.includes(viewer)) return undefined
  const others = ballots.filter(({ personId }) => personId !== viewer)
  const after = standing(requirement, [...others, { personId: viewer, value: 'yes' }], voters)
  if (after.is !== 'open' || after.counted.length > now.counted.length) return undefined
  return `Enough of those who may approve like you have agreed. It waits for ${placesWords(now.missing, NAMES_SHOWN)}.`
}

/** What the own vote does, which the groups of today decide. */
function ownWords({ type }: Question, { personId, value }: Vote, now: Standing): string {
  const isVote = type === 'confirm'
  if (isVote && value === 'no') return 'You said no. It ends with the no of others.'
  const counts = now.is === 'yes' || (now.is === 'open' && now.counted.includes(personId))
  const deed = isVote ? 'You said yes' : 'You have answered'
  return `${deed}, ${counts ? 'and it counts' : 'but it does not count now'}.`
}

/** `2 of engineers`; `1 more of engineers` once somebody has agreed. */
function missingWords({ from, need }: Places, { places }: Requirement): string {
  const isUntouched = places.some((one) => one.from === from && one.need === need)
  return `${need} ${isUntouched ? '' : 'more '}of ${namesWords(from, NAMES_SHOWN)}`
}
