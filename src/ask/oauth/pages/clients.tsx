/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { FormField, formField, Problem, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Code, CopyButton } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { OAuthClient } from '../model/client.ts'
import { placeOf } from '../model/redirect-uri.ts'
import { makeClient, readOwnClients, removeClient } from '../own-clients.ts'

type Deps = { db: Db; clock: Clock; baseUrl: string }

type Typed = { name: string; uris: string; problem: string }
type NewClientSecret = { client: OAuthClient; secret: string | undefined }

/** `/settings/clients`: clients that an owner makes known by hand. */
export function showClients(deps: Deps, visit: SignedIn): Promise<Response> {
  return clientsPage(deps, visit, {})
}

/** Makes a client known, and shows its secret this once. */
export async function submitNewClient(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const name = formField(form, 'name')
  const uris = form.get('redirectUris') ?? ''
  try {
    const newClient = await makeClient(deps, visit.person, {
      name,
      redirectUris: uris.split(/\s+/).filter(Boolean),
      keepsSecret: form.get('secret') === 'yes',
    })
    return await clientsPage(deps, visit, { made: newClient })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [wrong] = error.fields
    const problem = wrong ? `${FIELDS[wrong.field] ?? 'A field'} ${wrong.must}.` : error.message
    return await clientsPage(deps, visit, { typed: { name, uris, problem } }, error.status)
  }
}

export async function submitRemoveClient(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await removeClient(deps, visit.person, visit.params.id ?? '')
  return seeOther(paths.clients)
}

const FIELDS: Record<string, string> = { name: 'The name', redirectUris: 'Redirect addresses' }

async function clientsPage(
  deps: Deps,
  visit: SignedIn,
  { made: newClient, typed }: { made?: NewClientSecret; typed?: Typed },
  status = 200,
): Promise<Response> {
  const clients = await readOwnClients(deps, visit.person)
  return html(
    <Layout
      visit={visit}
      title="Clients set up by hand"
      section="settings"
      back={{ to: paths.tokens, name: 'Back to the agent tokens' }}
    >
      <div class="page-head">
        <h1>Clients set up by hand</h1>
        <p class="sub">
          Only for a client that asks for a client ID. All others make themselves known when they
          connect to {deps.baseUrl}/mcp.
        </p>
      </div>
      {newClient && <NewClientNotice made={newClient} />}
      {clients.length > 0 && (
        <ul class="things">
          {clients.map((client) => (
            <ClientCard client={client} moment={visit.moment} />
          ))}
        </ul>
      )}
      {!newClient && <NewClient typed={typed} />}
    </Layout>,
    status,
  )
}

function NewClientNotice({ made: { client, secret } }: { made: NewClientSecret }) {
  return (
    <section class="made" aria-labelledby="made-title">
      <h2 id="made-title">
        <Icon name="check" />
        {client.name} is set up
      </h2>
      <div class="secret" data-copy-from>
        <Code name="The client ID">{client.id}</Code>
        <CopyButton />
      </div>
      {secret && (
        <div class="secret" data-copy-from>
          <Code name="The client secret">{secret}</Code>
          <CopyButton />
        </div>
      )}
      {secret && (
        <p class="rule">This is the only time the secret is shown. Keep it like a password.</p>
      )}
    </section>
  )
}

function ClientCard({ client, moment }: { client: OAuthClient; moment: Moment }) {
  const { id, name, redirectUris, usedAt, authMethod } = client
  return (
    <li class="thing" data-move>
      <div>
        <p class="thing-name">
          <b>{name}</b> <code>{id}</code>
        </p>
        <p class="soft">
          Leads back to {[...new Set(redirectUris.map(placeOf))].join(', ')} ·{' '}
          {authMethod === 'none' ? 'no secret' : 'with a secret'} ·{' '}
          {usedAt === null ? (
            'not used yet'
          ) : (
            <>
              last allowed <Ago at={usedAt} moment={moment} />
            </>
          )}
        </p>
      </div>
      <div class="thing-do">
        <details class="removing">
          <summary>Remove</summary>
          <form method="post" action={href.removeClient(id)}>
            <p>Everybody who uses it will have to connect it again.</p>
            <button type="submit" class="small bad">
              Remove {name}
            </button>
          </form>
        </details>
      </div>
    </li>
  )
}

function NewClient({ typed }: { typed: Typed | undefined }) {
  return (
    <section class="part new">
      <h2>New client</h2>
      <Problem id="problem" hidden={!typed}>
        {typed?.problem}
      </Problem>
      <form method="post" action={paths.clients}>
        <FormField
          name="name"
          label="Its name"
          required
          maxLength={80}
          placeholder="ChatGPT"
          draft={{ name: typed?.name ?? '' }}
        />
        <div class="field">
          <label for="redirect-uris">Redirect addresses, one a line</label>
          <textarea
            id="redirect-uris"
            name="redirectUris"
            rows={3}
            required
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="redirect-rule"
          >
            {typed?.uris}
          </textarea>
          <p class="rule" id="redirect-rule">
            As the client shows them, character by character.
          </p>
        </div>
        <label class="check">
          <input type="checkbox" name="secret" value="yes" />
          <span>It asks for a client secret as well</span>
        </label>
        <button type="submit" class="primary">
          Set up
        </button>
      </form>
    </section>
  )
}
