/** @jsxImportSource preact */

import { Icon, type IconName } from '../../../platform/web/icon.tsx'
import { Proposal } from '../../inbox/pages/facts.tsx'
import { href } from '../../pages/paths.ts'
import { Ago, AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { contractOf } from '../../scopes/model/contract.ts'
import { holdsContract, sayContained } from '../../scopes/model/hook.ts'
import { clientTitle } from '../../wire/client-titles.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { ProposedScope, ScopeHistory, ScopeState } from '../scope-history.ts'

type Props = { history: ScopeHistory; moment: Moment }

/** Shows what a session may do now, whether a hook enforces it, and its earlier scopes. */
export function ScopeParts({ history, moment }: Props) {
  const { scopes, hooks, silent, ended } = history
  const current = scopes.find(({ state }) => state.is === 'in_force')
  const others = scopes.filter((scope) => scope !== current && scope.state.is !== 'open')
  const version = scopes.map(({ question, state, widened }) => [
    question.id,
    state.is,
    widened.length,
  ])
  const lastSeen = hooks.map(
    ({ client, machineId, contained, contractEtag }) =>
      `${client} ${machineId} ${contained} ${contractEtag}`,
  )
  if (silent) lastSeen.push(`silent ${silent.lastSeenAt}`)
  if (ended) lastSeen.push(`ended ${ended.endedAt}`)
  return (
    <div id="agreed" data-live="whole" data-version={[...version.flat(), ...lastSeen].join()}>
      {current && (
        <Current scope={current} hooks={hooks} silent={silent} ended={ended} moment={moment} />
      )}
      {others.length > 0 && (
        <section class="part">
          <h2>{current ? 'Scopes before' : 'Scopes'}</h2>
          <ul class="rows">
            {others.map((scope) => (
              <Earlier scope={scope} moment={moment} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

type Hooks = Pick<ScopeHistory, 'hooks' | 'silent' | 'ended'>

function Current({ scope, moment, ...hooks }: Hooks & { scope: ProposedScope; moment: Moment }) {
  const { question, ratified, who, widened } = scope
  if (!ratified) return null
  return (
    <section class="part">
      <h2>What it may do</h2>
      <p class="soft">
        <a href={href.decide(question.id)}>Agreed</a>{' '}
        <Ago at={ratified.ratifiedAt} moment={moment} />
        {who && <> by {who}</>}
        {ratified.edited && ', edited'}, holds until{' '}
        <AtClock at={ratified.expiresAt} moment={moment} />
      </p>
      <Watched scope={question.id} {...hooks} moment={moment} />
      <dl class="facts">
        <Proposal contract={contractOf(ratified)} />
        {widened.length > 0 && (
          <div>
            <dt>Added since</dt>
            <dd>
              <ul class="paths">
                {widened.map(({ path, at, who: by }) => (
                  <li>
                    <code>{path}</code>{' '}
                    <span class="soft">
                      {by && <>by {by} </>}
                      <Ago at={at} moment={moment} />
                    </span>
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** Shows which hooks have confirmed that they check the scope; without a hook, the next step. */
function Watched({
  scope,
  hooks,
  silent,
  ended,
  moment,
}: Hooks & { scope: QuestionId; moment: Moment }) {
  if (silent) {
    return (
      <p class="unwatched">
        <Icon name="warning" />
        <span>
          The hook of this session stopped reporting at{' '}
          <AtClock at={silent.lastSeenAt} moment={moment} />. Nothing has enforced the scope since.
        </span>
      </p>
    )
  }
  if (ended?.endedAt !== undefined) {
    return (
      <p class="soft">
        The session ended at <AtClock at={ended.endedAt} moment={moment} />, and with it what the
        hook enforced.
      </p>
    )
  }
  if (hooks.length === 0) {
    return (
      <p class="unwatched">
        <Icon name="warning" />
        <span>
          No hook reports this session: nothing checks these paths. Run <code>beckon setup</code> on
          the machine of the agent.
        </span>
      </p>
    )
  }
  return (
    <>
      <p class="soft">
        {hooks.slice(0, 3).map((hook, at) => (
          <>
            {at > 0 && ', '}
            {holdsContract(hook, scope) ? 'Checked' : 'Not yet confirmed'} by the hook of{' '}
            {[clientTitle(hook.client), hook.clientVersion].filter(Boolean).join(' ')}, heard from{' '}
            <Ago at={hook.lastSeenAt} moment={moment} />
          </>
        ))}
      </p>
      <p class="soft">{sayContained(hooks)}</p>
    </>
  )
}

const STATES: Record<ScopeState['is'], { tone: string; icon: IconName; word: string }> = {
  in_force: { tone: 'good', icon: 'check', word: 'Holds' },
  superseded: { tone: 'calm', icon: 'minus', word: 'Replaced' },
  over: { tone: 'calm', icon: 'clock', word: 'Over' },
  declined: { tone: 'bad', icon: 'cross', word: 'Declined' },
  open: { tone: 'wait', icon: 'clock', word: 'Waiting' },
  undecided: { tone: 'calm', icon: 'minus', word: 'Not decided' },
}

function Earlier({ scope, moment }: { scope: ProposedScope; moment: Moment }) {
  const { question, state, who, widened } = scope
  const { tone, icon, word } = STATES[state.is]
  const paths = widened.length === 1 ? 'one path added' : `${widened.length} paths added`
  const parts = [who && `by ${who}`, widened.length > 0 && paths, question.note].filter(Boolean)
  return (
    <li class="row">
      <span class={`dot ${tone}`}>
        <Icon name={icon} />
      </span>
      <a class="row-main" href={href.decide(question.id)}>
        <span class="row-title">{question.detail.contract?.doneWhen ?? question.question}</span>
        <span class="row-sub">
          <span class="one-line">{parts.join(' · ')}</span>
        </span>
      </a>
      <span class="row-side">
        <b class={`row-state ${tone}`}>{word}</b>
        <Ago at={'at' in state ? state.at : question.createdAt} moment={moment} />
      </span>
    </li>
  )
}
