import type { FormSchema } from '../../../../packages/js/src/form.ts'
import { rowBytes } from '../../../platform/db/columns.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Subscriber, SubscriberId } from '../../subscribers/model/subscriber.ts'
import type { PasskeySignature } from '../../votes/model/passkey-signature.ts'
import type { Requirement } from '../../votes/model/requirement.ts'
import type { Watched } from '../../votes/model/watched.ts'
import type { Contract } from '../../wire/contract.ts'
import type { DeliveryMode, OnTimeout } from '../../wire/delivery-mode.ts'
import type { ArgumentSort, ExactCall } from '../../wire/exact-call.ts'
import type { GatedCall } from '../../wire/gated-call.ts'
import type { NotificationId, QuestionId } from '../../wire/ids.ts'
import type { NotificationContext } from '../../wire/notification-fields.ts'
import { type OutcomeKind, outcomeKind } from '../../wire/outcome-texts.ts'
import type { Risk } from '../../wire/program-fields.ts'
import type { AnswerSource, QuestionType, StoredStatus } from '../../wire/question-fields.ts'
import type { OwnProgram } from '../../wire/reading/own-programs.ts'
import type { ReadingSummary } from '../../wire/reading/summary.ts'
import type { Targeting } from '../../wire/targeting.ts'
import type { ToolSettings } from '../../wire/tool-settings.ts'

export const NOTE_MAX = 1000
/** The longest typed answer; our own choice. */
export const ANSWER_MAX = 4000

/** The request of a question to a person: an answer of its type, or agreement to a scope. */
export type QuestionKind = QuestionType | 'scope'

/**
 * For how long a grant holds at most. `session_words` is for every call of the session whose commands
 * begin with the same words.
 */
export const GRANT_LENGTHS = ['15_minutes', 'session', 'session_words'] as const
export type GrantLength = (typeof GRANT_LENGTHS)[number]

export type SuppressionReason = 'test_traffic' | 'unattributed'

/** One thing a person can choose. */
export type AnswerChoice = { label: string; description?: string }

/** The rule that decided, and which calls it is for. */
export type ByRule = { id: string; words: string }

/** Somebody whose vote decided, under their name at that time, and how and where they voted. */
export type Decider = {
  id: PersonId
  name: string
  at: number
  source?: AnswerSource
  proof: string
  passkey?: PasskeySignature
}

/** The words of a notification that asks a question. */
type Notice = {
  title: string
  body: string
  context?: Omit<NotificationContext, 'askQuestion'>
}

/** Values of arguments, by their names. */
export type Values = Record<string, unknown>

/** The arguments that the person may change: how far, and their values as the agent wants them. */
export type Edit = { schema: FormSchema; values: Values }

/** Details that the page shows beside the question; texts are cleaned and cut, never escaped. */
export type QuestionDetail = {
  placeholder?: string
  context?: string
  action?: string
  actionBody?: string
  blocker?: string
  intent?: string
  header?: string
  multiSelect?: boolean
  allowOther?: boolean
  toolName?: string
  toolTarget?: string
  toolPath?: string
  scopePath?: string
  permissionMode?: string
  localSurfaceAvailable?: boolean
  pausedAware?: boolean
  sessionToolAware?: boolean
  /** The permissions of "Approve for this session", line by line. */
  sessionAllows?: string[]
  /** The yes was given for the rest of the session. */
  forSession?: boolean
  /** When the hook that asks stops waiting, over several calls. */
  hookWaitsUntil?: number
  /** The client asks it at its own terminal, and it can only be answered there. */
  atTerminal?: true
  /** Nothing was sent: the last approvals of the session went unanswered. */
  paused?: boolean
  /**
   * Until when an active terminal on the machine keeps the phones silent; a later proof extends it.
   */
  phonesHeldUntil?: number
  /** In questions of earlier versions: the phones stayed silent. */
  suppressed?: boolean
  /** True if it had no push of its own: its token sent too many in that minute. */
  collapsed?: true
  /** Quiet hours kept it in the terminal. */
  quiet?: boolean
  /** Set if people switched questions off for all or some of the devices it was for. */
  switchedOff?: 'all' | 'some'
  /** The arguments of the tool beside the command or the change. */
  toolSettings?: ToolSettings
  /** The call to the letter and its folder: what a grant would allow again. */
  exact?: Pick<ExactCall, 'argumentsHash'> & {
    arguments: ArgumentSort | 'plain' | 'always_asked'
    cwd: string
  }
  /** The tool behind a gate that the call is of. */
  gate?: GatedCall
  /** The reading of its command, made before anything was redacted or cut. */
  reading?: ReadingSummary
  /** The programs in it that the workspace knows, and Beckon does not. */
  programs?: OwnProgram[]
  /** The digest of tool and arguments, of a hook: what a permit is bound to. */
  actionHash?: string
  /** The grant that a person gave with their yes. */
  granted?: { id: string; length: GrantLength }
  /** The grant that answered it instead of a person, when it was asked. */
  byGrant?: ByRule
  /** The yes to another question about the same call, which answered it when it was asked. */
  byYes?: ByRule
  /** A person left it to the agent's own client. */
  handedOver?: true
  /** The decision of a rule when nobody answers, and which calls the rule is for. */
  onTimeout?: { decision: OnTimeout; rule: string }
  /** The rule that answered it instead of a person, when it was asked. */
  byRule?: ByRule
  /** How many of the people whose agreement it needs have agreed so far. */
  agreed?: number
  /** Whose votes decided it, under their names at that time. */
  votedBy?: Decider[]
  /** For a proposed change of who may decide: whether it was made, and why not. */
  change?: { is: 'made' } | { is: 'not_made'; why: string }
  /** Why not enough people could have agreed when it was asked. */
  undecidable?: 'owner_unknown' | 'too_few'
  /** The call that asked did not wait for the answer. */
  notWaited?: true
  /**
   * When the latest call that came back for the answer stops waiting; it may have hung up before.
   */
  waitsUntil?: number
  /** What a yes does and how much of a risk that is, as its program says. */
  effect?: string
  risk?: Risk
  /** The form whose fields are the answer, as JSON text. */
  form?: FormSchema
  /** The arguments that the person may change before a yes, and what they made of them. */
  edit?: Edit
  edited?: Values
  /** How long its program wants it to live; the policy may allow less. */
  lifeMs?: number
  /** Since when its agent follows it as a task, instead of waiting in a call. */
  followedAt?: number
  /** When a later call fetched an outcome that no call had waited for. */
  collectedAt?: number
  /** For a scope question: the proposal. */
  contract?: Contract
  /** A digest of question, action, blocker and body, if they were longer than what is stored. */
  cut?: string
  /** About how many characters of question, action, blocker and body are not stored. */
  missing?: number
  /** The notification that it came with; kept here, so that it is shown and sealed with it. */
  notice?: Notice
  /** True if it came with a notification whose page says more than its title and text. */
  isPartOnly?: boolean
}

/**
 * The means by which somebody answered who was not signed in: a button that only this device was
 * sent, a link that was sent to it, or a chat. Whose device it is does not prove who it was.
 */
export type AnsweredOn = {
  kind: 'device' | 'link' | 'chat'
  id: SubscriberId
  /** The name of the device at that moment. */
  label: string
  personId?: PersonId
}

export function answeredOn(
  kind: AnsweredOn['kind'],
  { id, label, personId }: Pick<Subscriber, 'id' | 'label' | 'personId'>,
): AnsweredOn {
  return { kind, id, label, ...(personId === undefined ? {} : { personId }) }
}

/** Names who answered, in words, where neither a person nor a name in a chat is known. */
export function holderWords({ kind, label }: AnsweredOn): string {
  if (kind === 'chat') return `somebody in ${label}`
  return kind === 'link' ? `somebody with the link sent to ${label}` : `somebody with ${label}`
}

/** A question as it is stored. */
export type Question = {
  id: QuestionId
  workspaceId: WorkspaceId
  tokenId: TokenId
  /** The origin: `ask_user`, a notification's `context.askQuestion`, `propose_scope`, or the policy itself. */
  origin: 'ask' | 'notification' | 'scope' | 'policy'
  type: QuestionType
  /** Exactly as the person sees it. */
  question: string
  /** Only for a select. */
  choices: AnswerChoice[]
  detail: QuestionDetail
  agentName: string | undefined
  machineId: string | undefined
  sessionId: string | undefined
  repoKey: string | undefined
  targeting: Targeting
  test: boolean
  held: SuppressionReason | undefined
  deliveryMode: DeliveryMode
  /** The policy's wait for this call, in milliseconds. */
  policyWaitMs: number
  /** The key by which a retry of the call finds it (`key.ts`); absent if the caller gave no id. */
  key: string | undefined
  status: StoredStatus
  createdAt: number
  expiresAt: number
  /** When the first call stops waiting. */
  waitEndsAt: number
  callbackUrl: string | undefined
  notificationId: NotificationId | undefined
  /** The caller hung up before it had an answer; a repeat may join. */
  abandonedAt: number | undefined
  value: string | undefined
  note: string | undefined
  answerSource: AnswerSource | undefined
  answeredBy: PersonId | undefined
  /** The name that a chat gives to the person who answered there; they need no account here. */
  answeredAs: string | undefined
  /** Absent where a person was signed in, and in questions of earlier versions. */
  answeredOn: AnsweredOn | undefined
  endedAt: number | undefined
  /** Why the caller withdrew it. */
  endReason: string | undefined
  /** The token that withdrew it, or answered it as test traffic. */
  endedByToken: TokenId | undefined
  /** An answer is held until then; while it is, the question stays open for its agent alone. */
  answerHeldUntil?: number | undefined
  /** Who has to agree; undefined: one answer of anybody ends it. */
  requirement?: Requirement | undefined
  /** What rules that only watch would have asked for. */
  watched?: Watched[] | undefined
}

/** The fields that a move writes besides the status; of the detail only what is added. */
export type Ending = Partial<
  Pick<
    Question,
    | 'value'
    | 'note'
    | 'answerSource'
    | 'answeredBy'
    | 'answeredAs'
    | 'answeredOn'
    | 'endReason'
    | 'endedByToken'
    | 'detail'
  >
>

/** A question before the policy has planned how to deliver it and how long to wait. */
export type AskDraft = Omit<Question, 'deliveryMode' | 'policyWaitMs' | 'waitEndsAt'>

/** The question with more in its detail. */
export function withDetail<Q extends AskDraft>(question: Q, more: Partial<QuestionDetail>): Q {
  return { ...question, detail: { ...question.detail, ...more } }
}

/**
 * Returns true for an approval of a tool call, recognised by fields that only such a call has
 * (QS-RULE-5).
 */
export function isPermission({ key, detail }: Pick<Question, 'key' | 'detail'>): boolean {
  const { toolTarget, toolPath, permissionMode, scopePath, gate } = detail
  const marks = [toolTarget, toolPath, permissionMode, scopePath, gate]
  return key?.startsWith('tool:') || marks.some((mark) => mark !== undefined)
}

/** Returns true if a yes allows an action, rather than answering a plain question. */
export function isApproval({
  type,
  detail,
  origin,
}: Pick<Question, 'type' | 'detail' | 'origin'>): boolean {
  if (type !== 'confirm') return false
  return (
    origin === 'scope' ||
    Boolean(detail.action ?? detail.actionBody ?? detail.toolName ?? detail.scopePath)
  )
}

/** Returns true for a proposed change of who may decide: no agent asks. */
export function isProposal({ origin }: Pick<Question, 'origin'>): boolean {
  return origin === 'policy'
}

/** Returns the kind of its outcome. */
export function outcomeKindOf({ type, origin }: Pick<Question, 'type' | 'origin'>): OutcomeKind {
  return outcomeKind({ type, isScope: origin === 'scope' })
}

/** Returns true if a yes changes the boundary of the session: a scope, or one path beside it. */
export function concernsScope({ origin, detail }: Pick<Question, 'origin' | 'detail'>): boolean {
  return origin === 'scope' || detail.scopePath !== undefined
}

/** Where somebody answered, in words. */
export const SOURCE_WORDS: Record<AnswerSource, string> = {
  dashboard: 'the home page',
  mobile_app: 'the app on a phone',
  mobile_background: 'a notification on a phone',
  decide_page: "the question's page",
  live_page: 'the live page',
  answer_link: 'an answer link',
  inbox: 'the inbox',
  slack: 'Slack',
  telegram: 'Telegram',
  mac_app: 'the app on a Mac',
  sandbox: 'here, as test traffic',
}

/** The size of its row, without deliveries. */
export function questionBytes(of: Question): number {
  const { question, choices, detail, targeting, key, callbackUrl } = of
  const { agentName, machineId, sessionId, repoKey } = of
  const names = [agentName, machineId, sessionId, repoKey]
  return rowBytes(question, choices, detail, targeting, key, callbackUrl, ...names)
}

/** Called after questions are stored. */
export type QuestionCounts = {
  opened(question: Pick<Question, 'origin'>): void
  ended(status: StoredStatus): void
}
