/** @jsxImportSource preact */

import type { Db } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import type { ProofNeeded } from '../../answering/prove-vote.ts'
import { SafeText } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { EndQuestionDeps } from '../../questions/end-question.ts'
import type { Question } from '../../questions/model/question.ts'
import { type Challenge, makeChallenge, type PasskeyClaim } from '../../votes/passkey-vote.ts'
import type { AnswerDraft } from './answers.tsx'

/** What a vote still needs: a fresh sign-in, or a signature by a passkey. */
export type ProveView = {
  /** Where signing in again leads back to, with the answer chosen and not sent. */
  again: string
  /** The form as it was sent. */
  fields: Array<[string, string]>
  passkey: (Challenge & { rpId: string }) | 'none' | undefined
  problem: string | undefined
}

// Longer notes make an address that proxies refuse.
const NOTE_IN_ADDRESS = 1_000

/** Prepares what somebody has to do for a vote that was refused for want of a proof. */
export async function readProve(
  deps: Pick<EndQuestionDeps, 'clock'> & { db: Db; baseUrl: string },
  { fresh, ballot }: ProofNeeded,
  form: URLSearchParams,
  problem: string | undefined,
): Promise<ProveView> {
  const passkey = fresh === 'passkey' ? ((await makeChallenge(deps, ballot)) ?? 'none') : undefined
  const rpId = new URL(deps.baseUrl).hostname
  return {
    again: href.signInAgain(`${href.decide(ballot.questionId)}?${chosenIn(form)}`),
    fields: [...form].filter(([name]) => name !== NONCE && name !== SIGNATURE),
    passkey: typeof passkey === 'object' ? { ...passkey, rpId } : passkey,
    problem,
  }
}

const NONCE = 'proving'
const SIGNATURE = 'signature'
const CHOSEN = 'chosen'

/** The signature that came with a form; undefined without one. */
export function readClaim(
  { baseUrl }: { baseUrl: string },
  { request }: SignedIn,
  form: URLSearchParams,
): PasskeyClaim | undefined {
  const nonce = form.get(NONCE)
  if (nonce === null) return undefined
  return {
    response: jsonIn(form.get(SIGNATURE) ?? ''),
    nonce,
    // Refused before unless it is one of ours.
    origin: request.headers.get('origin') ?? new URL(baseUrl).origin,
    rpId: new URL(baseUrl).hostname,
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function chosenIn(form: URLSearchParams): URLSearchParams {
  const chosen = new URLSearchParams()
  for (const value of form.getAll('value')) chosen.append(CHOSEN, value)
  const note = form.get('note') ?? ''
  if (note !== '' && note.length <= NOTE_IN_ADDRESS) chosen.set('note', note)
  return chosen
}

/** What was chosen before somebody signed in again; nothing of it was sent. */
export function readChosen(
  { requirement }: Question,
  searchParams: URLSearchParams,
): AnswerDraft | undefined {
  if (!requirement?.fresh || !searchParams.has(CHOSEN)) return undefined
  const note = searchParams.get('note') ?? ''
  return { values: searchParams.getAll(CHOSEN), other: '', note }
}

/** That somebody signed in again, and has to send their answer. */
export function SignedInAgain() {
  return (
    <p class="result good" role="status">
      <Icon name="check" />
      <span>You are signed in again. Nothing was sent yet: send your answer now.</span>
    </p>
  )
}

type Props = { question: Question; view: ProveView }

/** The step between a vote and its being counted, as a page of its own. */
export function ProveVote({ question, view }: Props) {
  const { passkey, problem } = view
  return (
    <div id="decision" class="decision twice">
      <div class="ask">
        <Problem id="problem" hidden={problem === undefined}>
          {problem}
        </Problem>
        <h1 class="question" tabIndex={-1} data-focus>
          {passkey === undefined ? 'Sign in once more' : 'Prove that it is you'}
        </h1>
        <p class="context">{sentenceFor(passkey)}</p>
        <p class="context" dir="auto">
          <SafeText text={question.question} />
        </p>
        {question.detail.action && (
          <p class="context" dir="auto">
            <code>
              <SafeText text={question.detail.action} />
            </code>
          </p>
        )}
        <p class="context" dir="auto">
          Your answer:{' '}
          <b>
            <SafeText text={answerIn(view)} />
          </b>
        </p>
      </div>
      {typeof passkey === 'object' ? (
        <PasskeyForm question={question} passkey={passkey} fields={view.fields} />
      ) : (
        <p class="onward">
          {passkey === 'none' ? (
            <a class="button big primary" href={paths.passkeys}>
              Add a passkey
            </a>
          ) : (
            <a class="button big primary" href={view.again}>
              Sign in again
            </a>
          )}
        </p>
      )}
      <p class="undecided">
        <a href={href.decide(question.id)}>Back to the question</a>
      </p>
    </div>
  )
}

function answerIn({ fields }: ProveView): string {
  const words = fields.filter(([name, text]) => ANSWERS.has(name) && text !== '')
  return words.map(([, text]) => text).join(', ')
}

const ANSWERS = new Set(['value', 'other'])

function sentenceFor(passkey: ProveView['passkey']): string {
  if (passkey === undefined) {
    return 'A rule takes a yes to this only within 15 minutes of signing in. You come back here with your answer chosen, and send it then.'
  }
  return passkey === 'none'
    ? 'A rule takes a yes to this only with a passkey, and you have none here. Add one to your device, then come back and vote. You may decline without one.'
    : 'A rule takes a yes to this only with a passkey. It signs this question and your answer, and counts once.'
}

type FormProps = Pick<Props, 'question'> & {
  passkey: Exclude<ProveView['passkey'], 'none' | undefined>
  fields: ProveView['fields']
}

function PasskeyForm({ question, passkey, fields }: FormProps) {
  const { challenge, nonce, rpId, credentialIds } = passkey
  return (
    <form
      method="post"
      action={href.answer(question.id)}
      class="answers"
      data-prove={JSON.stringify({ challenge, rpId, credentialIds })}
    >
      {fields.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name={NONCE} value={nonce} />
      <input type="hidden" name={SIGNATURE} value="" />
      <noscript>
        <p class="warn">
          <Icon name="warning" />
          <span>
            A passkey needs scripts, which are off in this browser. Allow them for this page, or
            open it in another browser.
          </span>
        </p>
      </noscript>
      <div class="bar">
        <button type="submit" class="big primary" data-key="y">
          <Icon name="key" />
          Use your passkey and send
        </button>
      </div>
    </form>
  )
}
