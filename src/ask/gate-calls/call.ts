import { omitUndefined } from '../../platform/json.ts'
import type { RequestId } from '../../platform/mcp/message.ts'
import { findSecrets } from '../../platform/redact/redact.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { cleanText } from '../../platform/text.ts'
import { bodyOf } from '../wire/action-body.ts'
import { actionLine } from '../wire/action-line.ts'
import { callIdOf } from '../wire/call-id.ts'
import { readCutMark } from '../wire/cut-mark.ts'
import { looksDestructive } from '../wire/danger/destructive.ts'
import type { GateCall } from '../wire/gate-fields.ts'
import { secretsIn } from '../wire/reading/redact.ts'
import { gatedToolName, toolCallHash } from '../wire/tool-fingerprint.ts'
import { part, spanAt } from './json-text.ts'
import { isModern, type Message, metaIn } from './message.ts'

/** A `tools/call` of the client. */
export type Call = {
  id: RequestId
  message: Message
  /** As it goes to the server. */
  line: Uint8Array | string
  tool: string
  /** SHA-256, in hex, of the arguments as the bytes that were received. */
  argumentsHash: string
  /** The same for calls of one tool with the same arguments. */
  key: string
  /** The client's own id of the tool call, whatever request it sends. */
  callId: string | undefined
  progressToken: RequestId | undefined
  /** Some clients name their session in each call. */
  sessionId: string | undefined
  modern: boolean
  /** A person answers the forms of its server at Beckon, because its client shows none. */
  answersForms?: true
  /** The id of the client's request, for a call that the gate sends again. */
  carrier?: RequestId
}

/** Undefined for a call that names no tool or cannot be answered. */
export function readCall(message: Message, line: Uint8Array | string): Call | undefined {
  const { id, params, text } = message
  const { name } = params
  if (id === undefined || typeof name !== 'string' || name === '') return undefined
  const argumentsHash = sha256(argumentsText(text))
  const { progressToken, sessionId } = metaIn(message)
  return {
    id,
    message,
    line,
    tool: name,
    argumentsHash,
    key: `${argumentsHash} ${name}`,
    callId: callIdOf(metaIn(message)),
    progressToken:
      typeof progressToken === 'string' || typeof progressToken === 'number'
        ? progressToken
        : undefined,
    sessionId: isSessionId(sessionId) ? sessionId : undefined,
    modern: isModern(message),
  }
}

function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 128
}

/** Empty without arguments. */
function argumentsText(text: string): string {
  const span = spanAt(text, { from: 0, to: text.length }, ['params', 'arguments'])
  return span ? part(text, span) : ''
}

// Of a longer text only this much is looked at; its digest is what a yes is bound to.
const READ_MAX = 200_000

/** The part of a call that a person reads before a yes. */
export type CallView = {
  action: string
  actionBody?: string
  arguments: 'none' | 'plain' | 'unshown'
  cut?: true
}

/** Shows a call with its arguments; secrets are redacted before it leaves the machine. */
export function viewOf({ message, tool }: Call, gate: string): CallView {
  const name = gatedToolName(gate, tool)
  const text = argumentsText(message.text)
  if (/^\{?\s*\}?$/.test(text)) return { action: name, arguments: 'none' }
  const isRead = text.length <= READ_MAX
  const input = isRead ? text : text.slice(0, READ_MAX)
  const action = actionLine(`${name} ${isRead ? rewrite(input) : input}`)
  const isWholeLine = isRead && action.missing === 0
  const body = isWholeLine ? {} : bodyOf(isRead ? rewrite(input, 2) : input)
  const isWhole = isWholeLine || (isRead && readCutMark(body.actionBody ?? '') === 0)
  const { hasSecret, hidesCommands } = secretsIn(cleanText(input), { isShell: false })
  const isCut = !isWhole || hidesCommands
  return {
    action: action.text,
    ...body,
    arguments: isCut || hasSecret ? 'unshown' : 'plain',
    ...(isCut ? { cut: true } : {}),
  }
}

// As much as a person reads of a call.
const UNASKED_MAX = 4_000

/**
 * A rule that knows no arguments allows nothing that looks as if it destroyed something, and nothing
 * that a person could not read whole.
 */
export function mayGoUnasked({ message, tool }: Call, gate: string): boolean {
  const text = argumentsText(message.text)
  if (text.length > UNASKED_MAX || findSecrets(cleanText(text)).length > 0) return false
  const action = `${gatedToolName(gate, tool)} ${text}`
  return !looksDestructive({ question: '', detail: { action } })
}

/** The call as a hook of its client reports it; undefined if a hook may read it otherwise. */
export function callAtHook({ message, tool, callId }: Call, gate: string): GateCall['atHook'] {
  const text = argumentsText(message.text)
  if (text.length > READ_MAX || LONG_NUMBER.test(text)) return undefined
  try {
    const call = { tool: gatedToolName(gate, tool), arguments: JSON.parse(text || '{}') }
    return omitUndefined({ actionHash: toolCallHash(call), toolUseId: callId })
  } catch {
    return undefined
  }
}

// A double would round it.
const LONG_NUMBER = /\d{16}/

/** The same JSON, readable; as it came if it has a number that would be changed. */
function rewrite(text: string, indent = 0): string {
  return LONG_NUMBER.test(text) ? text : JSON.stringify(JSON.parse(text), undefined, indent)
}
