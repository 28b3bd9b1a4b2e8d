/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { Problem, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { Person } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import type { SignedIn } from '../../pages/visit.ts'
import { type ChatAccountDeps, linkAccount, readAccountLink } from '../chat-accounts.ts'
import { type AccountCode, type ChatAccount, SERVICE_NAMES } from '../model/account.ts'
import { listAccounts } from '../model/store.ts'
import { chatAccountPaths, linkAccountPath } from '../paths.ts'

/** A link that an account in a chat was shown. Opening it changes nothing. */
export function showLink(deps: ChatAccountDeps, visit: SignedIn): Promise<Response> {
  return orRefusal(visit, async () => {
    const code = visit.params.code ?? ''
    const accountCode = await readAccountLink(deps, visit.person, code)
    const { workspaceId, id: personId } = visit.person
    const own = await listAccounts(deps.db.read, { workspaceId, personId })
    const { service, account } = accountCode
    const beside = own.filter((one) => one.service === service && one.account !== account)
    return linkPage(visit, <Confirm {...{ accountCode, beside, code }} person={visit.person} />)
  })
}

export function confirmLink(deps: ChatAccountDeps, visit: SignedIn): Promise<Response> {
  return orRefusal(visit, async () => {
    await readForm(visit.request)
    await linkAccount(deps, visit.person, visit.params.code ?? '')
    return seeOther(chatAccountPaths.page)
  })
}

/** A link that is not good, or somebody else's, says so on its own page. */
async function orRefusal(visit: SignedIn, show: () => Promise<Response>): Promise<Response> {
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    return linkPage(visit, <Refusal words={error.message} />, error.status)
  }
}

function linkPage(visit: SignedIn, content: preact.VNode, status = 200): Response {
  return html(
    <Layout
      visit={visit}
      title="Link an account"
      section="settings"
      back={{ to: chatAccountPaths.page, name: 'Back to your accounts' }}
    >
      {content}
    </Layout>,
    status,
  )
}

function Refusal({ words }: { words: string }) {
  return (
    <>
      <div class="page-head">
        <h1>Nothing was linked</h1>
      </div>
      <Problem>
        <SafeText text={words} />
      </Problem>
    </>
  )
}

type ConfirmProps = {
  accountCode: AccountCode
  person: Person
  beside: ChatAccount[]
  code: string
}

function Confirm({ accountCode: { service, label }, person, beside, code }: ConfirmProps) {
  return (
    <>
      <div class="page-head">
        <h1>
          Link <SafeText text={label} /> to <SafeText text={person.name} />?
        </h1>
        <p class="sub">
          This {SERVICE_NAMES[service]} account then answers as you, {person.email}.
        </p>
      </div>
      <form method="post" action={linkAccountPath(code)} class="requests">
        <p class="warn">
          <Icon name="warning" />
          <span>
            Link it only if it is your own account, and you asked for this link yourself there.
            Whoever writes from it decides in your name, wherever you may decide.
          </span>
        </p>
        {beside.length > 0 && (
          <p class="soft">
            You answer in {SERVICE_NAMES[service]} as{' '}
            <SafeText text={beside.map((one) => one.label).join(', ')} /> already. Both then are
            you, and count once.
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="primary">
            Link
          </button>
          <a class="button" href={chatAccountPaths.page}>
            It is not mine
          </a>
        </div>
      </form>
    </>
  )
}
