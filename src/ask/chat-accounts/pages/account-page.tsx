/** @jsxImportSource preact */

import { formField, readForm } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import { may } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { type ChatAccountDeps, unlinkAccount } from '../chat-accounts.ts'
import { type ChatAccount, type ChatService, SERVICE_NAMES } from '../model/account.ts'
import { listAccounts } from '../model/store.ts'
import { chatAccountPaths } from '../paths.ts'
import { confirmLink, showLink } from './link-page.tsx'

/** `/settings/chat-accounts`: one's own accounts, and for owners those of others. */
async function showAccounts({ db }: ChatAccountDeps, visit: SignedIn): Promise<Response> {
  const { workspaceId, id } = visit.person
  const isOwner = may(visit.person, 'people')
  const personId = isOwner ? undefined : id
  const accounts = await listAccounts(db.read, { workspaceId, personId })
  const own = accounts.filter((account) => account.personId === id)
  const others = accounts.filter((account) => account.personId !== id)
  const people = others.length > 0 ? await listPeople(db.read, workspaceId) : []
  const names = new Map(people.map((person) => [person.id, person.name]))
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
      <section class="part" aria-labelledby="link-title">
        <h2 id="link-title">Link an account</h2>
        <p class="soft">
          The chat shows you a link that nobody else sees: in Telegram after “Answer in this chat”
          on the <a href="/settings/telegram">Telegram page</a>, in Slack when you press a button or
          tell an agent something that only a linked account may, or “Link your account” in a
          channel’s first message.
        </p>
      </section>
      {own.length > 0 && <Accounts title="Your accounts" accounts={own} />}
      {others.length > 0 && (
        <Accounts title="Accounts of others" accounts={others} people={names} />
      )}
    </Layout>,
  )
}

type AccountsProps = {
  title: string
  accounts: ChatAccount[]
  people?: ReadonlyMap<PersonId, string>
}

function Accounts({ title, accounts, people }: AccountsProps) {
  const id = people ? 'others-title' : 'accounts-title'
  return (
    <section class="part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="rows">
        {accounts.map(({ service, account, label, personId }) => (
          <li class="row">
            <div class="row-main">
              <span class="row-title">
                <SafeText text={label} />
              </span>
              <span class="row-sub">
                {SERVICE_NAMES[service]}
                {people && (
                  <>
                    , answers as <SafeText text={people.get(personId) ?? ''} />
                  </>
                )}
              </span>
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

async function remove(deps: ChatAccountDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const service = formField(form, 'service') as ChatService
  await unlinkAccount(deps, visit.person, { service, account: formField(form, 'account') })
  return seeOther(chatAccountPaths.page)
}

export function chatAccountPages(deps: ChatAccountDeps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', chatAccountPaths.page, showAccounts, 'act'),
    signedInPage('GET', chatAccountPaths.link, showLink, 'act'),
    signedInPage('POST', chatAccountPaths.link, confirmLink),
    redirectTo(chatAccountPaths.remove, () => chatAccountPaths.page),
    signedInPage('POST', chatAccountPaths.remove, remove),
  ])
}
