/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { AtTime } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { Question } from '../../questions/model/question.ts'
import type { Fresh } from '../../votes/model/requirement.ts'
import { proofWords, type Vote } from '../../votes/model/vote.ts'
import { ClaimLine } from './claim.tsx'
import type { Candidate, DecidersView } from './read-deciders.ts'
import { shortHash } from './version.ts'

// More would push the buttons out of sight.
const NAMES_MAX = 6

function isYes({ value }: Vote): boolean {
  return value !== 'no'
}

type Props = { view: DecidersView | undefined; question: Question; moment: Moment; open: boolean }

/** Above the buttons: who has to agree, and who has. */
export function Deciders({ view, question, moment, open }: Props) {
  if (!view) return null
  const { words, rules, asker, votes, missing, fresh, informed } = view
  return (
    <section
      id="deciders"
      class="deciders"
      aria-label="Who decides"
      data-live="whole"
      data-version={shortHash([words, votes, missing, informed])}
      data-news={newsWords(view)}
    >
      <p>
        {open ? 'Needs ' : 'Needed '}
        <b>
          <SafeText text={words} />
        </b>{' '}
        <span class="soft">
          (rule for <SafeText text={rules} />)
        </span>
      </p>
      {asker && (
        <p>
          An agent of{' '}
          <b>
            <SafeText text={asker} />
          </b>{' '}
          {open ? 'asks' : 'asked'}.
        </p>
      )}
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
              <AtTime at={vote.at} moment={moment} />
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
      {open && informed.length > 0 && (
        <p class="soft">
          Also told, for their information: <SafeText text={cutList(informed)} />.
        </p>
      )}
      {open && <ClaimLine view={view.claim} id={question.id} now={moment.now} />}
    </section>
  )
}

/** What a screen reader hears when a vote comes in: `Bob: yes. 1 of 2 have agreed.` */
function newsWords({ votes, next, need, missing }: DecidersView): string {
  const last = votes.toSorted((a, b) => a.at - b.at).at(-1)
  const agreed = missing.length === 0 ? need : next - 1
  const so = `${agreed} of ${need} ${need === 1 ? 'has' : 'have'} agreed.`
  return last ? `${last.name}: ${isYes(last) ? 'yes' : 'no'}. ${so}` : so
}

const FRESH_WORDS: Record<Fresh, string> = {
  sign_in: 'A yes counts within 15 minutes of signing in.',
  passkey: 'A yes needs a passkey, which signs this question and the answer.',
}

/** `Bob, Fay and Cleo (all notified)`; whose quiet hours last is named with their end. */
function Candidates({ who, moment }: { who: readonly Candidate[]; moment: Moment }) {
  if (who.length === 0) return <>nobody is left</>
  const notified = who.filter(({ isTold, quietUntil }) => isTold && quietUntil === undefined)
  const quiet = who.filter(({ quietUntil }) => quietUntil !== undefined)
  return (
    <>
      <SafeText text={cutList(who.map(({ name }) => name))} />
      {notified.length > 0 && (
        <>
          {' '}
          (<SafeText text={notifiedWords(notified, who)} />)
        </>
      )}
      {quiet.slice(0, NAMES_MAX).map(({ name, quietUntil = 0 }) => (
        <>
          ; <SafeText text={name} /> has quiet hours until{' '}
          <AtTime at={quietUntil} moment={moment} />
        </>
      ))}
    </>
  )
}

function notifiedWords(notified: readonly Candidate[], who: readonly Candidate[]): string {
  if (notified.length === who.length) return who.length === 1 ? 'notified' : 'all notified'
  if (notified.length > NAMES_MAX) return `${notified.length} notified`
  return `notified: ${cutList(notified.map(({ name }) => name))}`
}

function cutList(names: readonly string[]): string {
  const more = names.length - NAMES_MAX
  return `${names.slice(0, NAMES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** With the buttons, wherever their bar is: the own vote, and why there is no yes. */
export function OwnVote({ view, id }: { view: DecidersView; id: Question['id'] }) {
  const { own, why, isInformed } = view
  if (!own && !why) return null
  return (
    <div class="whole own-vote" id={`own-vote-${id}`}>
      <span {...(own && { 'data-say': true })}>
        {own?.words}{' '}
        {why && <SafeText text={isInformed ? `You are told for your information. ${why}` : why} />}
      </span>
      {own && (
        <button type="submit" class="small" form={`withdraw-${id}`}>
          Take it back
        </button>
      )}
    </div>
  )
}

/** The form behind "Take it back", beside the answers: forms cannot be nested. */
export function WithdrawForm({ id }: Pick<Question, 'id'>) {
  return <form id={`withdraw-${id}`} method="post" action={href.withdrawVote(id)} />
}
