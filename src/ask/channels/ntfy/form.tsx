/** @jsxImportSource preact */

import { randomText } from '../../../platform/ids.ts'
import { FormField, formField, Problem } from '../../../platform/web/form.tsx'
import type { ConnectForm, TypedForm } from '../../subscribers/model/connect.ts'
import { LABEL_MAX } from '../../subscribers/model/subscriber.ts'
import {
  draftWithErrors,
  readNewTargets,
  TargetFields,
} from '../../subscribers/pages/target-fields.tsx'
import { topicAddress } from './topic.ts'

// 100 random bits: ntfy.sh lets anybody try names.
const GUESS_PROOF_CHARS = 20

const NOTHING_TYPED: TypedForm = { draft: {}, problem: '', wrong: new Map() }

/** The form for an ntfy topic; it works without scripts. */
function NewTopic({ typed }: { typed: TypedForm | undefined }) {
  const { draft, problem, wrong } = typed ?? NOTHING_TYPED
  const secret = { type: 'password', autocomplete: 'new-password', maxLength: 200, wrong } as const
  return (
    <>
      <p class="soft">
        For phones with the ntfy app. Whoever knows the topic can read its messages and answer with
        their buttons: choose a name that nobody guesses, such as{' '}
        <code>beckon-{randomText(GUESS_PROOF_CHARS)}</code>, made up just now.
      </p>
      {problem && <Problem>{problem}</Problem>}
      <form method="post" action={PATH}>
        <FormField
          name="address"
          id="topic-address"
          label="Address of the topic"
          required
          maxLength={300}
          placeholder="https://ntfy.sh/your-secret-topic"
          autocapitalize="none"
          spellcheck={false}
          draft={draft}
          wrong={wrong}
        />
        <FormField
          name="label"
          id="topic-label"
          label="What you call it (optional)"
          maxLength={LABEL_MAX}
          draft={draft}
          wrong={wrong}
        />
        <TargetFields of="topic" draft={draft} wrong={wrong} />
        <details>
          <summary>The server wants a token or a password</summary>
          <FormField name="accessToken" id="topic-accessToken" label="Access token" {...secret} />
          <FormField
            name="username"
            id="topic-username"
            label="Or a user name"
            maxLength={200}
            wrong={wrong}
          />
          <FormField name="password" id="topic-password" label="And its password" {...secret} />
        </details>
        <button type="submit" class="primary">
          Add topic
        </button>
      </form>
    </>
  )
}

/** The form as `POST /subscribers` takes it. Throws `invalid_input`. */
function readTopicForm(form: URLSearchParams) {
  const optional = ['label', 'accessToken', 'username', 'password'] as const
  const entries = optional.map((name) => [name, formField(form, name)]).filter(([, text]) => text)
  return {
    kind: 'phone',
    transport: 'ntfy',
    endpoint: topicAddress(formField(form, 'address')),
    ...Object.fromEntries(entries),
    ...readNewTargets(form),
  }
}

const NAMES: Record<string, string> = {
  endpoint: 'The address',
  label: 'The name',
  accessToken: 'The access token',
  username: 'The user name',
  password: 'The password',
}

const PATH = '/settings/devices/topics'

export const NTFY_FORM: ConnectForm = {
  id: 'new-topic',
  title: 'Add an ntfy topic',
  path: PATH,
  Form: NewTopic,
  read: readTopicForm,
  typed: (form, error) => draftWithErrors(form, error, { kept: ['address'], names: NAMES }),
}
