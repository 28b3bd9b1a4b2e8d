/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import {
  type Appearance,
  Code,
  CopyButton,
  Empty,
  StateMark,
} from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { href, paths } from '../../pages/paths.ts'
import { TestMark } from '../../pages/test-mark.tsx'
import { Ago, AtClock } from '../../pages/time.tsx'
import { exactTime } from '../../pages/times.ts'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import {
  readCallbackSecrets,
  rotateCallbackSecret,
  type SigningSecrets,
} from '../callback-secret.ts'
import type { Attempt, CallbackId, CallbackState } from '../model/callback.ts'
import { redeliverCallback } from '../queue-callback.ts'
import { type CallbackPage, type LoggedCallback, readCallbacks } from '../read-callbacks.ts'

type Deps = { db: Db; clock: Clock }

const ROWS = 20

/** `/settings/callbacks`: the signing secret, and the state of each callback. */
function showCallbacks(deps: Deps, visit: SignedIn): Promise<Response> {
  return callbacksPage(deps, visit, 'hidden')
}

/** The same page showing the secret: only when somebody asked for it. */
async function showCallbackSecret(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  return callbacksPage(deps, visit, 'shown')
}

async function rotateSecret(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await rotateCallbackSecret(deps, visit.person.workspaceId, visit.person.id)
  return seeOther(paths.callbacks)
}

async function redeliver(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const id = visit.params.id as CallbackId
  await redeliverCallback(deps, { workspaceId: visit.person.workspaceId, id })
  return seeOther(href.callback(id))
}

type Secret = 'hidden' | 'shown'

async function callbacksPage(deps: Deps, visit: SignedIn, secret: Secret): Promise<Response> {
  const { person, moment } = visit
  const cursor = visit.url.searchParams.get('from') ?? undefined
  const secrets = await readCallbackSecrets(deps, person.workspaceId)
  const page = await readCallbacks(deps, person.workspaceId, { cursor, limit: ROWS })
  return html(
    <Layout
      visit={visit}
      title="Callbacks"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Callbacks</h1>
        <p class="sub">
          An agent that asks with a <code>callbackUrl</code> has the answer posted there, signed.
        </p>
      </div>
      <SigningSecret secrets={secrets} secret={secret} zone={moment.zone} />
      <section class="part">
        <h2>What was posted</h2>
        <Log page={page} visit={visit} />
      </section>
    </Layout>,
  )
}

function SigningSecret(props: { secrets: SigningSecrets; secret: Secret; zone: string }) {
  const { current, ending } = props.secrets
  const [last] = ending
  return (
    <section class="part new" aria-labelledby="secret-title">
      <h2 id="secret-title">Signing secret</h2>
      {props.secret === 'shown' ? (
        <div class="secret" data-copy-from>
          <Code name="The secret">{current.secret}</Code>
          <CopyButton />
        </div>
      ) : (
        <form method="post" action={paths.callbackSecret}>
          <p class="field soft">A receiver needs it to tell real answers from made-up ones.</p>
          <button type="submit">
            <Icon name="key" />
            Show the secret
          </button>
        </form>
      )}
      {last && (
        <p class="result wait" role="status">
          <Icon name="clock" />
          <span>
            Two signatures until {exactTime(last.endsAt, props.zone)}: receivers with the previous
            secret still work. Give them the new one by then.
          </span>
        </p>
      )}
      <details class="removing">
        <summary>Replace it</summary>
        <form method="post" action={paths.rotateCallbackSecret}>
          <p>
            A new secret is made. For 24 hours every callback is signed with both, so that no
            receiver misses an answer; after that only the new one counts.
          </p>
          <button type="submit" class="small bad">
            Make a new secret
          </button>
        </form>
      </details>
    </section>
  )
}

function Log({ page, visit }: { page: CallbackPage; visit: SignedIn }) {
  if (page.items.length === 0) {
    return (
      <Empty icon="link" title="Nothing has been posted yet">
        Answers to questions with a <code>callbackUrl</code> appear here, with every attempt.
      </Empty>
    )
  }
  return (
    <>
      <ul class="things">
        {page.items.map((callback) => (
          <CallbackCard callback={callback} moment={visit.moment} />
        ))}
      </ul>
      {page.next && (
        <p class="more">
          <a class="button" href={`${paths.callbacks}?from=${page.next}`}>
            Older
          </a>
        </p>
      )}
    </>
  )
}

type Props = { callback: LoggedCallback; moment: Moment }

/** One callback: its address, its state, and its attempts. */
function CallbackCard({ callback, moment }: Props) {
  const { id, url, test, state, questionId, createdAt } = callback
  return (
    <li class={test ? 'thing test' : 'thing'} id={`callback-${id}`} data-move>
      <div>
        <p class="thing-name">
          <StateMark look={LOOKS[state]} /> {test && <TestMark />}
        </p>
        <p>{shortUrl(url)}</p>
        <p class="soft">
          <a href={href.decide(questionId)}>Answered</a> <Ago at={createdAt} moment={moment} />
          {state === 'waiting' && <Next callback={callback} moment={moment} />}
        </p>
        {callback.log.length > 0 && <Attempts log={callback.log} moment={moment} />}
      </div>
      <form method="post" action={href.redeliver(id)} class="thing-do">
        <button type="submit" class="small">
          Send again
        </button>
      </form>
    </li>
  )
}

const LOOKS: Record<CallbackState, Appearance> = {
  waiting: { tone: 'wait', icon: undefined, word: 'On its way' },
  delivered: { tone: 'good', icon: 'check', word: 'Delivered' },
  gone: { tone: 'calm', icon: 'minus', word: 'Not wanted any more' },
  lapsed: { tone: 'bad', icon: 'warning', word: 'Given up after a day' },
}

function Next({ callback, moment }: Props) {
  if (callback.nextAt <= moment.now) return <> · being sent now</>
  return (
    <>
      {' · next attempt at '}
      <AtClock at={callback.nextAt} moment={moment} />
    </>
  )
}

function Attempts({ log, moment }: { log: Attempt[]; moment: Moment }) {
  return (
    <details>
      <summary>
        <Icon name="chevron" />
        {log.length === 1 ? '1 attempt' : `${log.length} attempts`}
      </summary>
      <ol class="device-facts">
        {log.map(({ at, status, error }) => (
          <li>
            <Ago at={at} moment={moment} />: {status === 0 ? 'no answer' : status}
            {error && `, ${error}`}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Without the query, which often contains a key. */
function shortUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  return parsed.origin + parsed.pathname + (parsed.search ? '?…' : '')
}

export function callbackPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.callbacks, showCallbacks, 'callbacks'),
    redirectTo(paths.callbackSecret, () => paths.callbacks),
    redirectTo(paths.rotateCallbackSecret, () => paths.callbacks),
    signedInPage('POST', paths.callbackSecret, showCallbackSecret, 'callbacks'),
    signedInPage('POST', paths.rotateCallbackSecret, rotateSecret, 'callbacks'),
    signedInPage('POST', paths.redeliver, redeliver, 'callbacks'),
  ])
}
