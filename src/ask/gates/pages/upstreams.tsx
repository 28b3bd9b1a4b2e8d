/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import {
  type Draft,
  FormField,
  formField,
  readForm,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form.tsx'
import { Adding } from '../../../platform/web/page-parts.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { Prose } from '../../pages/marked.tsx'
import { paths } from '../../pages/paths.ts'
import { readDraft } from '../../pages/read-fields.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { gateUrl } from '../../wire/gate-url.ts'
import { changeUpstream, removeUpstream } from '../change-upstreams.ts'
import type { ShownUpstream } from '../model/upstream.ts'
import { serverLine } from '../server-line.ts'

export type UpstreamDeps = {
  db: Db
  clock: Clock
  outside: Pick<GuardedFetch, 'refusal'>
  baseUrl: string
}

/** The form as it was sent, with what is wrong in it. */
export type UpstreamDraft = { draft: Draft; wrong: Wrong }

const LABELS = {
  name: 'Name',
  url: 'Address',
  headerName: 'Header',
  secret: 'Secret',
}

/** The form of a server over HTTP: a new one, or another secret for one of that name. */
export function UpstreamForm({ input }: { input: UpstreamDraft | undefined }) {
  const { draft = { headerName: 'Authorization' }, wrong = new Map<string, string>() } = input ?? {}
  const shared = { draft, wrong }
  return (
    <Adding name="Add a server over HTTP" open={input !== undefined}>
      <form method="post" action={paths.gateServers} class="requests">
        <WrongFields wrong={wrong} labels={LABELS} />
        <FormField name="name" label={LABELS.name} maxLength={64} required {...shared}>
          The key that it has in the clients’ files. A name that is there already is replaced.
        </FormField>
        <FormField
          name="url"
          label={LABELS.url}
          maxLength={2_000}
          placeholder="https://mcp.example.com/mcp"
          required
          {...shared}
        >
          Its address for Streamable HTTP.
        </FormField>
        <FormField name="headerName" label={LABELS.headerName} maxLength={100} {...shared}>
          The header in which it wants a secret; empty if it wants none.
        </FormField>
        <FormField
          name="secret"
          label={LABELS.secret}
          type="password"
          maxLength={8_000}
          autocomplete="new-password"
          {...shared}
        >
          What the header says, such as <code>Bearer</code> and a token. It stays here and is not
          shown again.
        </FormField>
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Adding>
  )
}

type CardProps = { upstream: ShownUpstream; baseUrl: string; moment: Moment; changes: boolean }

export function UpstreamCard({ upstream, baseUrl, moment, changes }: CardProps) {
  const { name, url, headerName, tokenId, changedAt } = upstream
  return (
    <li class="thing">
      <div>
        <p class="thing-name">
          <Prose text={name} />
        </p>
        <p class="soft">
          Agents use{' '}
          <code>
            {gateUrl(baseUrl, '')}
            <Prose text={name} />
          </code>{' '}
          with their token.
        </p>
        <p class="soft">
          It goes on to{' '}
          <code>
            <Prose text={serverLine(url)} />
          </code>
          {headerName === undefined ? ' without a secret' : ` with a secret in ${headerName}`}, set{' '}
          <Ago at={changedAt} moment={moment} />
          {tokenId === undefined ? '' : ' by beckon gate add'}.
        </p>
      </div>
      {changes && (
        <form method="post" action={paths.removeGateServer}>
          <input type="hidden" name="name" value={name} />
          <button type="submit" class="small bad" aria-label={`Remove ${name}`}>
            Remove
          </button>
        </form>
      )}
    </li>
  )
}

/** Saves a server; resolves to what is wrong, for the page. */
export async function saveUpstreamForm(
  deps: UpstreamDeps,
  visit: SignedIn,
): Promise<(UpstreamDraft & { status: number }) | undefined> {
  const form = await readForm(visit.request)
  const draft = readDraft(form, ['name', 'url', 'headerName'])
  const { name = '', url = '', headerName = '' } = draft
  try {
    await changeUpstream(deps, visit.person, {
      ...{ name, url, headerName, secret: formField(form, 'secret') },
    })
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500 || error.code === 'forbidden')
      throw error
    const wrong = error.fields.map(({ field, must }) => [field, `It ${must}.`] as const)
    const all = wrong.length > 0 ? wrong : [['name', error.message] as const]
    return { draft, wrong: new Map(all), status: error.status }
  }
}

export async function submitRemoveUpstream(deps: UpstreamDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  await removeUpstream(deps, visit.person, formField(form, 'name'))
  return seeOther(paths.gates)
}
