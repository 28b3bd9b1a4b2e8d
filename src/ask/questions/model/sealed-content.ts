import type { QuestionDetail } from './question.ts'
import type { QuestionRow } from './seal-store.ts'

/**
 * From when on a field of the detail never changes: once asked, or once ended. `moves` fields
 * change at any time, because they record progress.
 */
const FIXED: Record<keyof QuestionDetail, 'asked' | 'ended' | 'moves'> = {
  placeholder: 'asked',
  context: 'asked',
  action: 'asked',
  actionBody: 'asked',
  blocker: 'asked',
  intent: 'asked',
  header: 'asked',
  multiSelect: 'asked',
  allowOther: 'asked',
  toolName: 'asked',
  toolTarget: 'asked',
  toolPath: 'asked',
  scopePath: 'asked',
  permissionMode: 'asked',
  localSurfaceAvailable: 'asked',
  pausedAware: 'asked',
  sessionToolAware: 'asked',
  sessionAllows: 'asked',
  forSession: 'ended',
  hookWaitsUntil: 'asked',
  atTerminal: 'asked',
  paused: 'asked',
  phonesHeldUntil: 'moves',
  suppressed: 'asked',
  collapsed: 'asked',
  quiet: 'asked',
  switchedOff: 'asked',
  toolSettings: 'asked',
  exact: 'asked',
  gate: 'asked',
  reading: 'asked',
  programs: 'ended',
  actionHash: 'asked',
  granted: 'ended',
  byGrant: 'ended',
  byYes: 'ended',
  handedOver: 'ended',
  onTimeout: 'asked',
  byRule: 'ended',
  notWaited: 'moves',
  waitsUntil: 'moves',
  form: 'asked',
  edit: 'asked',
  edited: 'ended',
  effect: 'asked',
  risk: 'asked',
  lifeMs: 'asked',
  followedAt: 'moves',
  collectedAt: 'moves',
  contract: 'asked',
  cut: 'asked',
  missing: 'asked',
  isPartOnly: 'asked',
  notice: 'asked',
  agreed: 'moves',
  votedBy: 'ended',
  undecidable: 'asked',
  change: 'ended',
}
// Absent where nothing is stored, so that what earlier versions sealed stays as it is.
export function sealedOn({ answeredOn }: Pick<QuestionRow, 'answeredOn'>): unknown[] {
  if (answeredOn === null) return []
  const { kind, id, label, personId } = answeredOn
  return [['answeredOn', kind, id, label, personId ?? null]]
}

const FIELDS = (Object.keys(FIXED) as Array<keyof QuestionDetail>).sort()
const ASKED = FIELDS.filter((name) => FIXED[name] === 'asked')
const ENDED = FIELDS.filter((name) => FIXED[name] === 'ended')

/** Everything that a question said when it was asked, in an order that must stay as it is. */
export function openingContent(row: QuestionRow): unknown[] {
  const { origin, type, question, choices, agentName, machineId, sessionId, repoKey } = row
  const { targeting, test, held, deliveryMode, policyWaitMs, waitEndsAt } = row
  return [
    origin,
    type,
    question,
    choices,
    picked(row.detail, ASKED),
    agentName,
    machineId,
    sessionId,
    repoKey,
    targeting,
    test,
    held,
    deliveryMode,
    policyWaitMs,
    waitEndsAt,
    row.callbackUrl,
    row.notificationId,
    row.createdAt,
    // Absent where nothing is stored, as below.
    ...(row.requirement === null ? [] : [['requirement', row.requirement]]),
  ]
}

/** The same with everything that was decided. */
export function endContent(row: QuestionRow): unknown[] {
  const { status, value, note, answerSource, answeredBy, answeredAs } = row
  return [
    openingContent(row),
    row.expiresAt,
    picked(row.detail, ENDED),
    status,
    value,
    note,
    answerSource,
    answeredBy,
    answeredAs,
    row.endedAt,
    row.endReason,
    row.endedByToken,
    ...sealedOn(row),
  ]
}

// Absent fields are left out, so that fields added in later versions do not change what is sealed.
function picked(detail: QuestionDetail, names: ReadonlyArray<keyof QuestionDetail>): unknown[] {
  return names.flatMap((name) => (detail[name] === undefined ? [] : [[name, detail[name]]]))
}
