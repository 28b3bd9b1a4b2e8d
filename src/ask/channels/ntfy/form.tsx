/** @jsxImportSource preact */

import { randomText } from '../../../platform/ids.ts'
import { formField, Problem } from '../../../platform/web/form.tsx'
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
  return (
    <section class="part new" id="new-topic">
      <h2>Add an ntfy topic</h2>
      <p class="soft">
        For phones with the ntfy app. Whoever knows the topic can read its messages and answer with
        their buttons: choose a name that nobody guesses, such as{' '}
        <code>beckon-{randomText(GUESS_PROOF_CHARS)}</code>, made up just now.
      </p>
      {problem && <Problem>{problem}</Problem>}
      <form method="post" action={PATH}>
        <div class="field">
          <label for="topic-address">Address of the topic</label>
          <input
            id="topic-address"
            name="address"
            required
            maxLength={300}
            placeholder="https://ntfy.sh/your-secret-topic"
            value={draft.address}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </div>
        <div class="field">
          <label for="topic-label">What you call it (optional)</label>
          <input
            id="topic-label"
            name="label"
            maxLength={LABEL_MAX}
            value={draft.label}
            autocomplete="off"
          />
        </div>
        <TargetFields of="topic" draft={draft} wrong={wrong} />
        <details>
          <summary>The server wants a token or a password</summary>
          <Secret name="accessToken" label="Access token" />
          <div class="field">
            <label for="topic-username">Or a user name</label>
            <input id="topic-username" name="username" maxLength={200} autocomplete="off" />
          </div>
          <Secret name="password" label="And its password" />
        </details>
        <button type="submit" class="primary">
          Add topic
        </button>
      </form>
    </section>
  )
}

function Secret({ name, label }: { name: string; label: string }) {
  const id = `topic-${name}`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} type="password" maxLength={200} autocomplete="new-password" />
    </div>
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
  path: PATH,
  Form: NewTopic,
  read: readTopicForm,
  typed: (form, error) => draftWithErrors(form, error, { kept: ['address'], names: NAMES }),
}
