import canonicalize from 'canonicalize'
import { sha256 } from '../../../platform/signing/sha256.ts'
import { isBridgeId } from '../../wire/bridge-id.ts'
import type { Question, QuestionDetail } from './question.ts'

/**
 * How long an id is remembered after the life of its question, in milliseconds. Until then a call
 * with it is a retry; later it asks again.
 */
export const KEY_KEPT_MS = 60 * 60_000

/** The id of a call, and who chose it. */
export type CallName = {
  /** `toolUseId`, `requestId`, or the client's own name of a `propose_scope`. */
  kind: 'tool' | 'request' | 'scope'
  id: string
  /** A hook reports over its own route; calls of tools are a model's. */
  by: 'model' | 'hook'
  /** From a hook: distinguishes the whole call from others, even if it is shown cut. */
  call?: string | undefined
}

type Keyed = Pick<
  Question,
  | 'tokenId'
  | 'machineId'
  | 'sessionId'
  | 'repoKey'
  | 'test'
  | 'type'
  | 'question'
  | 'choices'
  | 'detail'
>

/**
 * The key under which a retry finds its question, within its workspace. Clients reuse ids, so a
 * call is the same only with the same grant, session, machine and repository, live or test, from a
 * model or from a hook. A hook's key also includes the content: other content under the same id is
 * another question.
 */
export function keyOfCall(of: Keyed, { kind, id, by, call }: CallName): string {
  const place = [of.machineId, of.sessionId, of.repoKey].map((name) => name ?? null)
  const base = `${kind}:${JSON.stringify([by, of.test ? 'test' : 'live', grantOf(of), ...place, id])}`
  if (by === 'model') return base
  return [base, call === undefined ? '-' : sha256(call), contentDigest(of)].join('.')
}

/**
 * Returns the credential of the caller: it stays the same while a connection lasts, whatever is
 * renewed in it.
 */
export function grantOf({ tokenId }: Pick<Question, 'tokenId'>): string {
  return tokenId
}

export function isHookKey(key: string | undefined): boolean {
  return key !== undefined && /^\w+:\["hook",/.test(key)
}

/** The client's own id of the call that a hook has asked about. */
export function callIdInKey(key: string | undefined): string | undefined {
  if (!key?.startsWith('tool:["hook"')) return undefined
  const id: unknown = JSON.parse(keyWithoutContent(key).slice('tool:'.length)).at(-1)
  // What a call would destroy is asked about beside it.
  return typeof id === 'string' ? id.replace(/#stake$/, '') : undefined
}

/** A hook's key without its content: all questions about one call share it. */
export function callInKey(key: string): string {
  return key.slice(0, key.lastIndexOf('.'))
}

/** The rewritten form of keys of hooks that were made before keys included content. */
export function keyWithoutContent(key: string): string {
  return key.slice(0, key.lastIndexOf(']') + 1)
}

const ACTION = 'action:'

/** The digest of the action that a question is about: named in the `requestId`, or by a hook. */
export function actionOf({ key, detail }: Pick<Question, 'key' | 'detail'>): string | undefined {
  return actionInKey(key) ?? detail.actionHash
}

/**
 * The digest of the action that a question is about, from a `requestId` of the form `action:HASH` or
 * `action:HASH:ANYTHING`; undefined for every other.
 */
function actionInKey(key: string | undefined): string | undefined {
  const id = requestIdIn(key)
  if (!id?.startsWith(ACTION)) return undefined
  return id.slice(ACTION.length).split(':')[0] || undefined
}

/**
 * True for a question of a program, which has no terminal: it names an action, or has what only
 * programs send.
 */
export function isOfProgram({ key, detail }: Pick<Question, 'key' | 'detail'>): boolean {
  const { effect, risk, form, edit, lifeMs } = detail
  const marks = [actionInKey(key), effect, risk, form, edit, lifeMs]
  return marks.some((mark) => mark !== undefined)
}

/**
 * Returns true if a call with this key joins an open question with its content, because the agent
 * gave it no id. The key of a scope comes from its client, and is new whenever an agent proposes
 * again.
 */
export function joinsByContent(key: string | undefined): boolean {
  return key === undefined || key.startsWith('scope:') || isBridgeId(requestIdIn(key) ?? '')
}

/** The `requestId` that a model gave; undefined for every other key. */
function requestIdIn(key: string | undefined): string | undefined {
  if (!key?.startsWith('request:["model"')) return undefined
  const id: unknown = (JSON.parse(key.slice('request:'.length)) as unknown[]).at(-1)
  return typeof id === 'string' ? id : undefined
}

/**
 * True for the fields of the detail that a person decides on: they read them, or a yes acts on
 * them. The others say how to ask and what happened.
 */
const DECIDED_ON: Record<keyof QuestionDetail, boolean> = {
  placeholder: true,
  context: true,
  action: true,
  actionBody: true,
  blocker: true,
  intent: true,
  header: true,
  multiSelect: true,
  allowOther: true,
  form: true,
  edit: true,
  edited: false,
  effect: true,
  risk: true,
  toolName: true,
  toolTarget: true,
  toolPath: true,
  scopePath: true,
  sessionAllows: true,
  contract: true,
  atTerminal: true,
  cut: true,
  isPartOnly: false,
  notice: true,
  missing: false,
  permissionMode: false,
  localSurfaceAvailable: false,
  pausedAware: false,
  sessionToolAware: false,
  forSession: false,
  hookWaitsUntil: false,
  notWaited: false,
  waitsUntil: false,
  collectedAt: false,
  paused: false,
  suppressed: false,
  phonesHeldUntil: false,
  collapsed: false,
  quiet: false,
  switchedOff: false,
  byRule: false,
  exact: true,
  gate: false,
  reading: false,
  programs: false,
  actionHash: false,
  toolSettings: true,
  granted: false,
  byGrant: false,
  byYes: false,
  handedOver: false,
  onTimeout: false,
  lifeMs: false,
  followedAt: false,
  agreed: false,
  votedBy: false,
  undecidable: false,
  change: false,
}

type QuestionContent = Pick<Question, 'type' | 'question' | 'choices' | 'detail'>

/** The input fields in which two questions differ; empty if one answer fits both. */
export function differences(one: QuestionContent, other: QuestionContent): string[] {
  // A call that opened its question has asked just that.
  if (one === other) return []
  const [a, b] = [contentOf(one), contentOf(other)]
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  const differing = [...names].filter((name) => !same(a[name], b[name]))
  // The part that was cut is nearly always the action.
  return differing.map((name) => (name === 'cut' ? 'action' : name))
}

export function sameContent(one: QuestionContent, other: QuestionContent): boolean {
  return differences(one, other).length === 0
}

/**
 * Returns true if both are about the same tool call, as the person sees it, whatever is asked about
 * it.
 */
export function isSameCall(one: QuestionContent, other: QuestionContent): boolean {
  const view = ({
    type,
    choices,
    detail: { toolName, action, actionBody, toolSettings },
  }: QuestionContent) => ({
    type,
    choices,
    toolName,
    action,
    actionBody,
    toolSettings,
  })
  return same(view(one), view(other))
}

/** SHA-256 of the content, hex: equal only for equal content. */
export function contentDigest(question: QuestionContent): string {
  return sha256(canonicalize(contentOf(question)) ?? '')
}

function contentOf({ type, question, choices, detail }: QuestionContent): Record<string, unknown> {
  const decided = Object.entries(detail).filter(
    ([name, value]) => DECIDED_ON[name as keyof QuestionDetail] && value !== undefined,
  )
  const { contract, ...fields } = Object.fromEntries(decided) as QuestionDetail
  const options = choices.length > 0 ? { options: choices } : {}
  // The text of a scope question is made from its contract.
  const text = contract ? contract : { question }
  return { type, ...text, ...options, ...fields }
}

// Databases may return the fields of an object in another order.
function same(one: unknown, other: unknown): boolean {
  return canonicalize(one) === canonicalize(other)
}

// A hint costs at most 60 tokens.
const NAMES_MAX = 3

/** The first names of a list, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const more = names.length - NAMES_MAX
  return [...names.slice(0, NAMES_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
