import canonicalize from 'canonicalize'
import type { Question, QuestionDetail } from './question.ts'

/**
 * Whether a field of the detail is part of what a person decides on: they read it, or a yes acts on
 * it. The others say how to ask and what happened.
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
  toolName: true,
  toolTarget: true,
  toolPath: true,
  scopePath: true,
  sessionAllows: true,
  contract: true,
  atTerminal: true,
  cut: true,
  isPartOnly: false,
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
  actionHash: false,
  toolSettings: true,
  granted: false,
  byGrant: false,
  handedOver: false,
  onTimeout: false,
  followedAt: false,
}

type Asked = Pick<Question, 'type' | 'question' | 'choices' | 'detail'>

/** The input fields in which two questions differ; empty if one answer fits both. */
export function differences(one: Asked, other: Asked): string[] {
  // A call that opened its question has asked just that.
  if (one === other) return []
  const [a, b] = [contentOf(one), contentOf(other)]
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  const differing = [...names].filter((name) => !same(a[name], b[name]))
  // What was cut is nearly always the action.
  return differing.map((name) => (name === 'cut' ? 'action' : name))
}

export function sameContent(one: Asked, other: Asked): boolean {
  return differences(one, other).length === 0
}

/** Whether both are about the same tool call, as the person sees it, whatever is asked about it. */
export function sameCallShown(one: Asked, other: Asked): boolean {
  const shown = ({
    type,
    choices,
    detail: { toolName, action, actionBody, toolSettings },
  }: Asked) => ({
    type,
    choices,
    toolName,
    action,
    actionBody,
    toolSettings,
  })
  return same(shown(one), shown(other))
}

/** SHA-256 of the content, hex: equal only for equal content. */
export function contentDigest(question: Asked): string {
  return digest(canonicalize(contentOf(question)) ?? '')
}

export function digest(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

function contentOf({ type, question, choices, detail }: Asked): Record<string, unknown> {
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
