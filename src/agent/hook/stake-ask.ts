import { bodyOf } from '../../ask/wire/action-body.ts'
import { redactSecrets } from '../../platform/redact/redact.ts'
import { cleanLine, codePoints, cutText } from '../../platform/text.ts'
import { showCall } from '../calls/show-call.ts'
import type { HookContext } from '../session/context.ts'
import type { HookAsk } from '../session/server.ts'
import { actionHashOf } from '../session/use-permit.ts'
import { commonFields } from './approval-ask.ts'
import { targetOf } from './call-target.ts'
import { keyOf } from './relay-key.ts'

const QUESTION_MAX = 450
const NAMED_MAX = 8
const LISTED_MAX = 100
const NAME_MAX = 80

/** The question about what is at stake: it names what would be lost, with all of it below. */
export function stakeAsk(context: HookContext, stakes: Stake[]): HookAsk {
  const { call } = context
  const view = showCall(call, call.target)
  const { action = call.toolName ?? 'Change files', actionBody, toolSettings } = view
  const says = stakes.map(({ says, names }) => sentence(says, names)).join(' ')
  const all = stakes.flatMap(({ names }) => names)
  const isWhole = all.length <= NAMED_MAX && codePoints(`${says} ${END}`) <= QUESTION_MAX
  const list = isWhole ? undefined : listed(all)
  const body = [list, actionBody].filter((part) => part !== undefined).join('\n\n')
  const toolUseId = call.toolUseId === undefined ? undefined : `${call.toolUseId}#stake`
  return {
    question: cutText(`${says} ${END}`, QUESTION_MAX),
    action,
    ...(body === '' ? {} : bodyOf(body)),
    ...(toolSettings === undefined ? {} : { toolSettings }),
    ...commonFields(context),
    ...targetOf(call, call.touches[0]?.path),
    personOnly: true,
    actionHash: actionHashOf(call),
    // The client's own prompt for this call is a separate question, and comes later.
    localSurfaceAvailable: false,
    ...keyOf(call, toolUseId),
  }
}

const END = 'Let it run?'

function sentence(says: string, names: string[]): string {
  if (names.length === 0) return `${says}.`
  const more = names.length - NAMED_MAX
  const list = names.slice(0, NAMED_MAX).map(nameOf).join(', ')
  return `${says}: ${list}${more > 0 ? ` and ${more} more` : ''}.`
}

function listed(names: string[]): string {
  const more = names.length - LISTED_MAX
  const lines = names.slice(0, LISTED_MAX).map((name) => `- ${nameOf(name)}`)
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function nameOf(name: string): string {
  return cutText(redactSecrets(cleanLine(name)), NAME_MAX)
}

/** A question to a person that no scope requires; `names` are what would be lost. */
export type Stake = { says: string; names: string[] }
