/** @jsxImportSource preact */
import { Failure } from '../../../platform/failure.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { Code, CopyButton } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { NeedsAgreement } from '../../accounts/model/guarded-change.ts'
import { Layout } from '../../pages/layout.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { readOrigin } from '../../policy/model/store.ts'
import { FromFile } from '../../policy/pages/from-file.tsx'
import { type FileDeps, releaseFile } from '../apply-file.ts'
import { exportFile } from '../export-file.ts'
import { listPolicyTokens } from '../model/store.ts'
import { makePolicyToken, revokePolicyToken } from '../policy-tokens.ts'
import { Tokens, type TokenView } from './tokens.tsx'

type Deps = FileDeps & { baseUrl: string }

/** The page of the policy file, which owners see. */
export function filePages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.policyFile, showFile, 'policy'),
    redirectTo(paths.releasePolicyFile, () => paths.policyFile),
    signedInPage('POST', paths.releasePolicyFile, submitRelease, 'policy'),
    redirectTo(paths.policyTokens, () => paths.policyFile),
    signedInPage('POST', paths.policyTokens, submitToken, 'policy'),
    redirectTo(paths.revokePolicyToken, () => paths.policyFile),
    signedInPage('POST', paths.revokePolicyToken, submitRevoke, 'policy'),
  ])
}

/** `/settings/policy/file`: what is in force, as a file. */
function showFile(deps: Deps, visit: SignedIn): Promise<Response> {
  return filePage(deps, visit, {})
}

async function submitToken(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const name = formField(form, 'name')
  const may = formField(form, 'may') === 'write' ? 'write' : 'read'
  try {
    return await filePage(deps, visit, {
      token: await makePolicyToken(deps, visit.person, { name, may }),
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    if (error instanceof NeedsAgreement) throw error
    const [field] = error.fields
    const wrong = new Map([['name', field ? `It ${field.must}.` : error.message]])
    return await filePage(deps, visit, { name, wrong, status: error.status })
  }
}

async function submitRevoke(deps: Deps, visit: SignedIn): Promise<Response> {
  const id = formField(await readForm(visit.request), 'token')
  await revokePolicyToken(deps, visit.person, id)
  return seeOther(paths.policyFile)
}

async function filePage(deps: Deps, visit: SignedIn, view: TokenView): Promise<Response> {
  const { workspaceId } = visit.person
  const tokens = await listPolicyTokens(deps.db.read, workspaceId)
  const origin = await readOrigin(deps.db.read, workspaceId)
  const text = await exportFile(deps, workspaceId, deps)
  return html(
    <Layout
      visit={visit}
      title="Policy file"
      section="settings"
      back={{ to: paths.rules, name: 'Back to the rules' }}
    >
      <div class="page-head">
        <h1>Policy file</h1>
        <p class="sub">
          Policy, groups and rules in one file, for a repository. Whoever runs the server applies it
          with <code>beckon policy apply</code>. From then on the file is changed, and not the
          pages.
        </p>
      </div>
      {origin && <FromFile origin={origin} visit={visit} />}
      <section class="part" data-copy-from>
        <h2>What is in force</h2>
        <Code name="The file">{text.trimEnd()}</Code>
        <CopyButton />
      </section>
      <Tokens tokens={tokens} visit={visit} view={view} />
      {origin && !origin.isWatched && <ReleaseForm />}
    </Layout>,
    view.status,
  )
}

function ReleaseForm() {
  return (
    <details class="removing part">
      <summary>Change it on the pages again</summary>
      <form method="post" action={paths.releasePolicyFile}>
        <p>
          Policy, groups and rules stay as they are, and owners change them here. Applying a file
          takes them over again.
        </p>
        <button type="submit" class="small">
          Give it back to the pages
        </button>
      </form>
    </details>
  )
}

async function submitRelease(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await releaseFile(deps, visit.person.workspaceId, visit.person)
  return seeOther(paths.rules)
}
