import { isoTime } from '../../../platform/clock.ts'
import { type Contract, contractOf } from '../../scopes/model/contract.ts'
import { type Hook, sayContained } from '../../scopes/model/hook.ts'
import { sayChanges } from '../../scopes/model/read-scope.ts'
import { PROTECTED_NOTE } from '../../wire/matcher/protected-paths.ts'
import type { WaitResult } from '../../wire/result-fields.ts'
import type { Question } from './question.ts'
import type { ScopeFacts } from './scope-facts.ts'

type ScopeSaid = Pick<WaitResult, 'ratified' | 'contract' | 'enforces' | 'enforcementNote' | 'hint'>

/** What a scope question's result adds to its outcome; nothing for any other question. */
export function scopeResult(
  question: Question,
  answered: boolean,
  facts: ScopeFacts | undefined,
): ScopeSaid {
  const proposed = question.detail.contract
  if (!proposed || !facts) return {}
  const { ratified, hooks, silent } = facts
  const isOpen = question.status === 'pending'
  if (!ratified && !isOpen) return notAgreed(proposed, question, answered)
  const contract = ratified ? contractOf(ratified) : proposed
  const parts = partsOf(contract)
  return {
    ...(answered ? { ratified: question.value === 'yes' } : {}),
    contract,
    enforces: hooks.length > 0 ? parts : [],
    enforcementNote: noteOn(hooks, parts.length > 0, silent),
    ...(ratified?.edited ? { hint: sayChanges(proposed, contract) } : {}),
  }
}

/** A proposal that was declined, expired or was withdrawn: nothing is to be kept to or checked. */
function notAgreed(contract: Contract, question: Question, answered: boolean): ScopeSaid {
  const declined = answered && question.value === 'no' ? { hint: DECLINED } : {}
  return { ...(answered ? { ratified: false } : {}), contract, enforces: [], ...declined }
}

const DECLINED = 'The person declined this scope. Ask what scope they want instead of going on.'

function partsOf(contract: Contract) {
  return (['allowedPaths', 'offLimitsPaths'] as const).filter((part) => contract[part].length > 0)
}

const NO_HOOK =
  'No hook has reported a session with this id, so nothing checks these paths: keeping to them is up to you. The command "beckon setup" installs the hook.'
const CHECKED =
  'It checks what file tools write, and what can be read off shell commands themselves. Reading is only refused off limits.'
const NO_PATHS = 'The contract names no paths, so there are none to check.'
const PROMISES = 'Promises are never checked.'

/** What is known about enforcement, and no more. */
function noteOn(hooks: Hook[], anyPaths: boolean, silent: Hook | undefined): string {
  const [hook] = hooks
  if (silent) return `${stopped(silent)} ${PROMISES}`
  if (!hook) return `${NO_HOOK} ${PROMISES}`
  const machines = new Set(hooks.map(({ machineId }) => machineId)).size
  const many = `${machines} machines report this session id, and the contract holds on each.`
  return [
    `A hook has reported this session (${nameOf(hook)}).`,
    ...(anyPaths ? [CHECKED, sayContained(hooks)] : [NO_PATHS]),
    PROTECTED_NOTE,
    machines > 1 ? many : undefined,
    PROMISES,
  ]
    .filter(Boolean)
    .join(' ')
}

function stopped({ lastSeenAt }: Hook): string {
  return `The hook of this session stopped reporting: it last reported at ${isoTime(lastSeenAt)}. Nothing has enforced these paths since; keeping to them is up to you. The person was told.`
}

function nameOf({ client, clientVersion, hookVersion }: Hook): string {
  const named = clientVersion ? `${client} ${clientVersion}` : client
  return hookVersion ? `${named}, hook ${hookVersion}` : named
}
