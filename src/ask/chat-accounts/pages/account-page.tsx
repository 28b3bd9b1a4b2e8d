/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { formField, Problem, readForm } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { type ChatAccountDeps, linkAccount, unlinkAccount } from '../chat-accounts.ts'
import { type ChatAccount, type ChatService, SERVICE_NAMES } from '../model/account.ts'
import { listAccounts } from '../model/store.ts'
import { chatAccountPaths } from '../paths.ts'

function showAccounts(deps: ChatAccountDeps, visit: SignedIn): Promise<Response> {
  return accountPage(deps, visit)
}

/** "Link": a code that is not good is explained beside the field. */
async function link(deps: ChatAccountDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  try {
    await linkAccount(deps, visit.person, formField(form, 'code'))
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
    const [{ must } = { must: '' }] = error.fields
    return accountPage(deps, visit, `The code ${must}.`)
  }
  return seeOther(chatAccountPaths.page)
}

async function remove(deps: ChatAccountDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const service = formField(form, 'service') as ChatService
  await unlinkAccount(deps, visit.person, { service, account: formField(form, 'account') })
  return seeOther(chatAccountPaths.page)
}

async function accountPage(
  { db }: ChatAccountDeps,
  visit: SignedIn,
  problem?: string,
): Promise<Response> {
  const { workspaceId, id: personId } = visit.person
  const accounts = await listAccounts(db.read, { workspaceId, personId })
  return html(
    <Layout
      visit={visit}
      title="Answer in chats"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Answer in chats</h1>
        <p class="sub">
          Answer in Telegram or Slack, and tell an agent what to do next, as yourself.
        </p>
      </div>
      <section class="part" aria-labelledby="code-title">
        <h2 id="code-title">Link an account</h2>
        <p class="soft">
          The chat shows you a code that nobody else sees. In Telegram it comes after “Answer in
          this chat” on the <a href="/settings/telegram">Telegram page</a>, in Slack when you first
          tell an agent something.
        </p>
        <form method="post" action={chatAccountPaths.page} class="chat-code">
          {problem && <Problem>{problem}</Problem>}
          <label for="code">The code</label>
          <input
            id="code"
            name="code"
            required
            maxLength={20}
            autocomplete="one-time-code"
            autocapitalize="none"
            spellcheck={false}
          />
          <p class="rule">
            Type only a code that you asked for yourself: the account that got it acts as you.
          </p>
          <div class="buttons">
            <button type="submit" class="primary">
              Link
            </button>
          </div>
        </form>
      </section>
      {accounts.length > 0 && <Accounts accounts={accounts} />}
    </Layout>,
    problem ? 422 : 200,
  )
}

function Accounts({ accounts }: { accounts: ChatAccount[] }) {
  return (
    <section class="part" aria-labelledby="accounts-title">
      <h2 id="accounts-title">Your accounts</h2>
      <ul class="rows">
        {accounts.map(({ service, account, label }) => (
          <li class="row">
            <div class="row-main">
              <span class="row-title">
                <SafeText text={label} />
              </span>
              <span class="row-sub">{SERVICE_NAMES[service]}</span>
            </div>
            <form method="post" action={chatAccountPaths.remove} class="row-side">
              <input type="hidden" name="service" value={service} />
              <input type="hidden" name="account" value={account} />
              <button type="submit" class="small">
                Remove
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function chatAccountPages(deps: ChatAccountDeps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', chatAccountPaths.page, showAccounts, 'act'),
    signedInPage('POST', chatAccountPaths.page, link),
    redirectTo(chatAccountPaths.remove, () => chatAccountPaths.page),
    signedInPage('POST', chatAccountPaths.remove, remove),
  ])
}
