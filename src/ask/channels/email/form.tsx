/** @jsxImportSource preact */

import { formField, Problem } from '../../../platform/web/form.tsx'
import type { ConnectForm, TypedForm } from '../../subscribers/model/connect.ts'
import {
  draftWithErrors,
  readNewTargets,
  TargetFields,
} from '../../subscribers/pages/target-fields.tsx'
import { mailEndpoint } from './channel.ts'

type Props = Parameters<ConnectForm['Form']>[0]

const NOTHING_TYPED: TypedForm = { draft: {}, problem: '', wrong: new Map() }

/** The form for the mailbox of one's own account; it works without scripts. */
function NewMailbox({ typed, person }: Props) {
  const { draft, problem, wrong } = typed ?? NOTHING_TYPED
  return (
    <>
      <p class="soft">
        Questions and news also go to <b>{person.email}</b>, the address of your account. Whoever
        reads that mailbox can answer with the link in a question.
      </p>
      {problem && <Problem>{problem}</Problem>}
      <form method="post" action={PATH}>
        <input type="hidden" name="address" value={person.email} />
        <TargetFields of="mailbox" draft={draft} wrong={wrong} />
        <button type="submit" class="primary">
          Add e-mail
        </button>
      </form>
    </>
  )
}

/** The form as `POST /subscribers` takes it. Throws `invalid_input`. */
function readMailboxForm(form: URLSearchParams) {
  return {
    kind: 'chat',
    transport: 'email',
    endpoint: mailEndpoint(formField(form, 'address')),
    ...readNewTargets(form),
  }
}

const PATH = '/settings/devices/mailboxes'

export const EMAIL_FORM: ConnectForm = {
  id: 'new-mailbox',
  title: 'Add e-mail',
  path: PATH,
  Form: NewMailbox,
  read: readMailboxForm,
  typed: (form, error) => draftWithErrors(form, error, { names: { endpoint: 'The address' } }),
}
