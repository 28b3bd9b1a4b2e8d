import { isoTime } from '../../../platform/clock.ts'
import { contractOf } from '../../scopes/model/contract.ts'
import { type Hook, holdsContract, sayContained } from '../../scopes/model/hook.ts'
import { sayChanges } from '../../scopes/model/read-scope.ts'
import type { Contract } from '../../wire/contract.ts'
import { PROTECTED_NOTE } from '../../wire/matcher/protected-paths.ts'
import type { WaitResult } from '../../wire/result-fields.ts'
import type { Question } from './question.ts'
import type { ScopeFacts } from './scope-facts.ts'

type ScopeFields = Pick<
  WaitResult,
  'ratified' | 'contract' | 'enforces' | 'enforcementNote' | 'hint'
>

/** Returns the fields that a scope question adds to its outcome; nothing for any other question. */
export function scopeResult(
  question: Question,
  answered: boolean,
  facts: ScopeFacts | undefined,
): ScopeFields {
  const proposed = question.detail.contract
  if (!proposed || !facts) return {}
  const { ratified, inForce, hooks } = facts
  const isOpen = question.status === 'pending'
  if (!ratified && !isOpen) return notAgreed(proposed, question, answered)
  const contract = ratified ? contractOf(ratified) : proposed
  const isOver = ratified !== undefined && ratified.questionId !== inForce?.questionId
  const held = ratified ? hooks.filter((hook) => holdsContract(hook, ratified.questionId)) : []
  // With several machines it is as strong as on the weakest.
  const isHeld = !isOver && held.length > 0 && held.length === hooks.length
  return {
    ...(answered ? { ratified: question.value === 'yes' } : {}),
    contract,
    enforces: isHeld ? partsOf(contract) : [],
    enforcementNote: isOver ? sayOver(inForce) : noteOn(facts, contract, held.length),
    ...(ratified?.edited ? { hint: sayChanges(proposed, contract) } : {}),
  }
}

/** A proposal that was declined, expired or was withdrawn: nothing is to be kept to or checked. */
function notAgreed(contract: Contract, question: Question, answered: boolean): ScopeFields {
  const declined = answered && question.value === 'no' ? { hint: DECLINED } : {}
  return { ...(answered ? { ratified: false } : {}), contract, enforces: [], ...declined }
}

const DECLINED = 'The person declined this scope. Ask what scope they want instead of going on.'

/** Without allowed paths a hook checks that the project is not left. */
function partsOf({ offLimitsPaths }: Contract): ('allowedPaths' | 'offLimitsPaths')[] {
  return offLimitsPaths.length > 0 ? ['allowedPaths', 'offLimitsPaths'] : ['allowedPaths']
}

const NO_HOOK =
  'No hook reports a session with this id, so nothing checks these paths: keeping to them is up to you. The command "beckon setup" installs the hook.'
const CHECKED =
  'It checks what file tools write, and what can be read off shell commands themselves. Reading is only refused off limits.'
const ANY_OF_PROJECT =
  'No allowed paths are named: any file of the project may be written, and a write outside it is asked about.'
const NOT_AGREED = 'Nothing is enforced before a person agrees.'
const NOT_HELD =
  'Nothing of this contract counts as enforced yet: a hook has not confirmed it. That hook asks for it with a tool call: within a second if it knows of the proposal, otherwise within 30 seconds.'
const PROMISES = 'Promises are never checked.'

function sayOver(later: object | undefined): string {
  return `This scope no longer holds: ${later ? 'a later one took its place' : 'its 12 hours are over'}.`
}

/**
 * Says what is known about enforcement, and no more; `held`: how many of the hooks hold the
 * contract.
 */
function noteOn({ ratified, hooks, silent }: ScopeFacts, contract: Contract, held: number): string {
  const [hook] = hooks
  if (silent) return `${stopped(silent)} ${PROMISES}`
  if (!hook) return `${NO_HOOK} ${PROMISES}`
  const many = `${hooks.length} machines report this session id; the contract is confirmed on ${held} of them.`
  const unheld = ratified ? NOT_HELD : NOT_AGREED
  return [
    `A hook has reported this session (${nameOf(hook)}).`,
    hooks.length > 1 ? many : undefined,
    held === hooks.length ? undefined : unheld,
    CHECKED,
    contract.allowedPaths.length > 0 ? undefined : ANY_OF_PROJECT,
    sayContained(hooks),
    PROTECTED_NOTE,
    PROMISES,
  ]
    .filter(Boolean)
    .join(' ')
}

function stopped({ lastSeenAt }: Hook): string {
  return `The hook of this session stopped reporting: it last reported at ${isoTime(lastSeenAt)}. Nothing has enforced these paths since; keeping to them is up to you. The person was told.`
}

function nameOf({ client, clientVersion, hookVersion }: Hook): string {
  const clientText = clientVersion ? `${client} ${clientVersion}` : client
  return hookVersion ? `${clientText}, hook ${hookVersion}` : clientText
}
