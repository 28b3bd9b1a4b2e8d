/** @jsxImportSource preact */

import type { CallbackId } from '../../../platform/ids.ts'
import { Code } from '../../../platform/web/code.tsx'
import { Empty } from '../../../platform/web/empty.tsx'
import { readForm } from '../../../platform/web/form.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import type { PageDeps } from '../../pages/page-deps.ts'
import { href, paths } from '../../pages/paths.ts'
import { exactTime } from '../../pages/times.ts'
import type { SignedIn } from '../../pages/visit.ts'
import {
  readCallbackSecrets,
  rotateCallbackSecret,
  type SigningSecrets,
} from '../callback-secret.ts'
import { type CallbackPage, readCallbacks } from '../read-callbacks.ts'
import { redeliverCallback } from '../redeliver-callback.ts'
import { CallbackCard } from './callback-card.tsx'

const ROWS = 20

/** `/settings/callbacks`: what answers are signed with, and what became of each. */
export function showCallbacks(deps: PageDeps, visit: SignedIn): Promise<Response> {
  return callbacksPage(deps, visit, 'hidden')
}

/** The same page with the secret on it: only when somebody asked for it. */
export async function showCallbackSecret(deps: PageDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  return callbacksPage(deps, visit, 'shown')
}

export async function rotateSecret(deps: PageDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await rotateCallbackSecret(deps, visit.person.workspaceId, visit.person.id)
  return seeOther(paths.callbacks)
}

export async function redeliver(deps: PageDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const id = visit.params.id as CallbackId
  await redeliverCallback(deps, { workspaceId: visit.person.workspaceId, id })
  return seeOther(href.callback(id))
}

type Secret = 'hidden' | 'shown'

async function callbacksPage(deps: PageDeps, visit: SignedIn, secret: Secret): Promise<Response> {
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
          <button type="button" class="small" data-copy hidden data-enhance>
            <Icon name="copy" />
            <span>Copy</span>
          </button>
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
            Two signatures until {exactTime(last.endsAt, props.zone)}: receivers with the secret
            from before still work. Give them the new one by then.
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
