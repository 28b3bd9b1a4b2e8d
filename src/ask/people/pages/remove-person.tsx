/** @jsxImportSource preact */

import { Failure, wrongFields } from '../../../platform/failure.ts'
import { formField, readForm, type Wrong, WrongFields } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { AgentToken } from '../../accounts/model/agent.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { type Leaving, type RemoveDeps, readLeaving, removePerson } from '../remove-person.ts'

const FINE: Wrong = new Map()
const LABELS = { tokens: 'Tokens', handTo: 'Hand over to' }
// Whoever used a token lately has something that runs with it.
const LATELY_MS = 7 * 24 * 60 * 60_000

/** `/settings/people/:id/remove`: what ends with a person, before it does. */
export async function showRemovePerson(deps: RemoveDeps, visit: SignedIn): Promise<Response> {
  return removePage(deps, visit, FINE)
}

/** Removes somebody, or ends an invitation. */
export async function submitRemovePerson(deps: RemoveDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const id = visit.params.id ?? ''
  try {
    const { tokens } = await readLeaving(deps, visit.person, id)
    await removePerson(deps, visit.person, id, heirOf(form, tokens))
  } catch (error) {
    if (!(error instanceof Failure) || error.fields === undefined) throw error
    const wrong = new Map(error.fields.map(({ field, must }) => [field, `It ${must}.`]))
    return removePage(deps, visit, wrong, error.status)
  }
  return seeOther(id === visit.person.id ? paths.signIn : paths.people)
}

/** To whom the tokens go; undefined: they are revoked. Throws `invalid_input` without a choice. */
function heirOf(form: URLSearchParams, tokens: readonly AgentToken[]): string | undefined {
  const choice = formField(form, 'tokens')
  if (choice === 'hand_over') return formField(form, 'handTo')
  if (choice === 'revoke' || tokens.length === 0) return undefined
  throw wrongFields([{ field: 'tokens', must: 'must say what becomes of the tokens' }])
}

async function removePage(
  deps: RemoveDeps,
  visit: SignedIn,
  wrong: Wrong,
  status = 200,
): Promise<Response> {
  const leaving = await readLeaving(deps, visit.person, visit.params.id ?? '')
  const { id, name } = leaving.person
  const { isInvited } = leaving
  const self = id === visit.person.id
  return html(
    <Layout
      visit={visit}
      title={`Remove ${name}`}
      section="settings"
      back={{ to: paths.people, name: 'Back to people' }}
    >
      <div class="page-head">
        <h1>Remove {name}</h1>
        <p class="sub">{subOf({ self, isInvited })}</p>
      </div>
      <WrongFields wrong={wrong} labels={LABELS} />
      <section class="part">
        <h2>What ends</h2>
        <ul class="ends">
          {leaving.ends.map((sentence) => (
            <li>{sentence}</li>
          ))}
          {leaving.connections.map((one) => (
            <li>{one.name}: a client that was signed in.</li>
          ))}
        </ul>
      </section>
      <form method="post" action={href.removePerson(id)} class="part requests">
        {leaving.tokens.length > 0 && (
          <Tokens leaving={leaving} moment={visit.moment} isWrong={wrong.has('tokens')} />
        )}
        <button type="submit" class="bad">
          {isInvited ? `Revoke the invitation of ${name}` : `Remove ${name}`}
        </button>
      </form>
    </Layout>,
    status,
  )
}

function subOf({ self, isInvited }: { self: boolean; isInvited: boolean }): string {
  if (isInvited) return 'The link no longer works, and nobody was signed in.'
  const stays = 'stays in the activity and the audit trail.'
  return self
    ? `You are signed out everywhere. What you answered ${stays} Only another owner can invite you again.`
    : `They are signed out everywhere at once. What they answered ${stays}`
}

type TokensProps = { leaving: Leaving; moment: Moment; isWrong: boolean }

function Tokens({ leaving: { tokens, others, isGuarded }, moment, isWrong }: TokensProps) {
  const isUsed = tokens.some(({ lastUsedAt }) => (lastUsedAt ?? 0) > moment.now - LATELY_MS)
  return (
    <>
      <section class="part">
        <h2>Tokens</h2>
        <ul class="things">
          {tokens.map((token) => (
            <li class="thing">
              <div>
                <p class="thing-name">
                  <b>{token.name}</b> <code>bk_…{token.tail}</code>
                </p>
                <p class="soft">
                  {token.lastUsedAt === null ? (
                    'Never used'
                  ) : (
                    <>
                      Used <Ago at={token.lastUsedAt} moment={moment} />
                      {token.lastUsedClient && ` by ${token.lastUsedClient}`}
                    </>
                  )}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </section>
      <fieldset class="switches" aria-invalid={isWrong ? 'true' : undefined}>
        <legend>What becomes of the tokens</legend>
        <label>
          <input type="radio" name="tokens" value="revoke" required checked={!isUsed} />
          Revoke them: agents that use them are refused at once
        </label>
        {!isGuarded && (
          <label>
            <input type="radio" name="tokens" value="hand_over" required />
            Hand them over: agents go on, and the tokens are another person’s
          </label>
        )}
      </fieldset>
      {isGuarded ? <Guarded /> : <Heirs others={others} />}
    </>
  )
}

function Guarded() {
  return (
    <p class="soft">
      Rules depend on whose these tokens are, so others have to agree to another owner. To keep
      them, hand them over under <a href={paths.tokens}>Agent tokens</a> first.
    </p>
  )
}

function Heirs({ others }: Pick<Leaving, 'others'>) {
  return (
    <div class="field">
      <label for="handTo">Hand over to</label>
      <select id="handTo" name="handTo">
        {others.map(({ id, name, email }) => (
          <option value={id}>
            {name} ({email})
          </option>
        ))}
      </select>
      <p class="soft">
        Whoever knows a token can go on using it: a person who has left may still know theirs.
      </p>
    </div>
  )
}
