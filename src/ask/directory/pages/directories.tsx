/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { FormField, formField, readForm, type Wrong } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Code, CopyButton } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { NeedsAgreement } from '../../accounts/model/guarded-change.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import {
  makeDirectory,
  makeDirectoryToken,
  readDirectories,
  revokeDirectoryToken,
  SCIM_PATH,
} from '../directories.ts'
import { directoryHref, directoryPaths } from '../paths.ts'

type Deps = { db: Db; clock: Clock; baseUrl: string }
type View = { token?: string; name?: string; wrong?: Wrong; status?: number }

async function showDirectories(deps: Deps, visit: SignedIn): Promise<Response> {
  return directoryPage(deps, visit, {})
}

async function submitDirectory(deps: Deps, visit: SignedIn): Promise<Response> {
  const name = formField(await readForm(visit.request), 'name')
  try {
    const { token } = await makeDirectory(deps, visit.person, name)
    return await directoryPage(deps, visit, { token })
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    if (error instanceof NeedsAgreement) throw error
    const [field] = error.fields
    const sentence = field ? `It ${field.must}.` : error.message
    const wrong = new Map([['name', sentence]])
    return await directoryPage(deps, visit, { name, wrong, status: error.status })
  }
}

async function submitToken(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const { token } = await makeDirectoryToken(deps, visit.person, visit.params.id ?? '')
  return directoryPage(deps, visit, { token })
}

async function submitRevoke(deps: Deps, visit: SignedIn): Promise<Response> {
  const tokenId = formField(await readForm(visit.request), 'token')
  await revokeDirectoryToken(deps, visit.person, { id: visit.params.id ?? '', tokenId })
  return seeOther(directoryPaths.page)
}

async function directoryPage(deps: Deps, visit: SignedIn, view: View): Promise<Response> {
  const all = await readDirectories(deps, visit.person)
  const { token, name = '', wrong, status = 200 } = view
  return html(
    <Layout
      visit={visit}
      title="Directory"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Directory</h1>
        <p class="sub">
          Your directory makes people here, puts them into groups, and switches them off when they
          leave. It sees and changes nobody else.
        </p>
      </div>
      {token && <NewToken token={token} baseUrl={deps.baseUrl} />}
      {all.length > 0 && (
        <ul class="things">
          {all.map((one) => (
            <DirectoryCard {...one} visit={visit} />
          ))}
        </ul>
      )}
      <form method="post" action={directoryPaths.page} class="part requests">
        <h2>Connect a directory</h2>
        <FormField
          name="name"
          label="Its name"
          required
          maxLength={40}
          draft={{ name }}
          {...(wrong && { wrong })}
        >
          For the audit trail: “by directory Acme”.
        </FormField>
        <button type="submit" class="primary">
          Make a token
        </button>
      </form>
    </Layout>,
    status,
  )
}

function NewToken({ token, baseUrl }: { token: string; baseUrl: string }) {
  return (
    <section class="made" aria-labelledby="made-title">
      <h2 id="made-title">
        <Icon name="check" />
        Set these in your directory
      </h2>
      <Code name="SCIM address">{`${baseUrl}${SCIM_PATH}`}</Code>
      <div class="secret" data-copy-from>
        <Code name="The token">{token}</Code>
        <CopyButton />
      </div>
      <p class="rule">This is the only time the token is shown. Keep it like a password.</p>
    </section>
  )
}

type CardProps = Awaited<ReturnType<typeof readDirectories>>[number] & { visit: SignedIn }

function DirectoryCard({ directory, tokens, refusal, visit }: CardProps) {
  return (
    <li class="thing" id={directory.id}>
      <div>
        <p class="thing-name">
          <b>
            <SafeText text={directory.name} />
          </b>
        </p>
        <ul class="device-facts">
          {tokens.map((token) => (
            <li>
              <code>bs_…{token.tail}</code>,{' '}
              {token.lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  used <Ago at={token.lastUsedAt} moment={visit.moment} />
                </>
              )}
            </li>
          ))}
          {tokens.length === 0 && <li>No token: it is refused.</li>}
          {refusal && (
            <li>
              Refused <Ago at={refusal.at} moment={visit.moment} />: <SafeText text={refusal.why} />
            </li>
          )}
        </ul>
      </div>
      <div class="thing-do">
        {tokens.length < 2 && (
          <form method="post" action={directoryHref.newToken(directory.id)}>
            <button type="submit" class="small">
              New token
            </button>
          </form>
        )}
        {tokens.map(({ id, tail }) => (
          <details class="removing">
            <summary>Revoke{tokens.length > 1 && ` …${tail}`}</summary>
            <form method="post" action={directoryHref.revoke(directory.id)}>
              <input type="hidden" name="token" value={id} />
              <p>
                Whatever the directory sends with it is refused at once. People and groups stay.
              </p>
              <button type="submit" class="small bad">
                Revoke the token
              </button>
            </form>
          </details>
        ))}
      </div>
    </li>
  )
}

export function directoryPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', directoryPaths.page, showDirectories, 'companySignIn'),
    signedInPage('POST', directoryPaths.page, submitDirectory, 'companySignIn'),
    redirectTo(directoryPaths.newToken, () => directoryPaths.page),
    signedInPage('POST', directoryPaths.newToken, submitToken, 'companySignIn'),
    redirectTo(directoryPaths.revoke, () => directoryPaths.page),
    signedInPage('POST', directoryPaths.revoke, submitRevoke, 'companySignIn'),
  ])
}
