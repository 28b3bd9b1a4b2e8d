import type { Read } from '../../platform/db/database.ts'
import type { TimeRange } from '../../platform/db/sql.ts'
import { type AuditKind, RECORDED_KINDS, type RecordedKind } from '../audit/model/audit.ts'
import { type AuditEntry, entry, type Wanted } from '../audit/model/audit-entry.ts'
import { listAudit, readSubjectNames } from '../audit/model/store.ts'
import type { DeliveryState } from '../delivery/model/channel.ts'
import type { DeliveryRow } from '../delivery/model/store.ts'
import { listEndedDeliveries } from '../delivery/model/trail-store.ts'
import {
  listSent,
  readTrailNotifications,
  type TrailNotification,
} from '../notifications/model/trail-store.ts'
import { holderWords } from '../questions/model/question.ts'
import { questionTitle } from '../questions/model/title.ts'
import {
  listEnded,
  listLate,
  listOpened,
  readTrailQuestions,
  type TrailQuestion,
} from '../questions/model/trail-store.ts'
import { readSubscribers } from '../subscribers/model/store.ts'
import type { NotificationId, QuestionId } from '../wire/ids.ts'
import type { StoredStatus } from '../wire/question-fields.ts'

/** One of the tables that the audit trail is read from. */
export type TrailSource = {
  kinds: readonly AuditKind[]
  /** True for each kind of actor that the entries can come from. */
  says: { person: boolean; agent: boolean }
  /** Rows of the range, newest first; `entry` is undefined for rows that the filter leaves out. */
  read(read: Read, query: Wanted, range: TimeRange): Promise<SourceRow[]>
}

export type SourceRow = { at: number; id: string; entry: AuditEntry | undefined }

const opened: TrailSource = {
  kinds: ['question.opened'],
  says: { person: false, agent: true },
  async read(read, { workspaceId, filter }, range) {
    const rows = await listOpened(read, workspaceId, filter, range)
    return rows.map((row) =>
      sourceRow({
        id: row.id,
        at: row.createdAt,
        kind: 'question.opened',
        ...asker(row),
        outcome: row.held === null ? undefined : `held: ${row.held}`,
      }),
    )
  },
}

const notificationSource: TrailSource = {
  kinds: ['notification.sent'],
  says: { person: false, agent: true },
  async read(read, { workspaceId, filter }, range) {
    const rows = await listSent(read, workspaceId, filter, range)
    return rows.map((row) =>
      sourceRow({
        id: row.id,
        at: row.createdAt,
        kind: 'notification.sent',
        ...sender(row),
        outcome: row.test ? 'held: test_traffic' : undefined,
      }),
    )
  },
}

const STATES: Record<string, readonly DeliveryState[]> = {
  'message.delivered': ['accepted'],
  'message.not_delivered': ['gone', 'refused', 'lapsed', 'held'],
}

const delivered: TrailSource = {
  kinds: ['message.delivered', 'message.not_delivered'],
  says: { person: false, agent: true },
  async read(read, { workspaceId, filter, kinds }, range) {
    const states = kinds.flatMap((kind) => STATES[kind] ?? [])
    const { subjectIds } = filter
    const rows = await listEndedDeliveries(read, workspaceId, { states, subjectIds }, range)
    const about = await aboutDeliveries(read, rows)
    return rows.map((row) => {
      const subject = about.subject(row)
      const foreign =
        row.message.kind === 'outcome' || !matches(subject, filter.agent, filter.sessionId)
      const at = row.endedAt ?? row.createdAt
      if (foreign) return { id: row.id, at, entry: undefined }
      return sourceRow({
        ...subject,
        id: row.id,
        at,
        subjectId: row.subjectId,
        deviceId: row.subscriberId,
        kind: row.state === 'accepted' ? 'message.delivered' : 'message.not_delivered',
        device: about.device(row),
        outcome: row.state,
        note: row.lastError,
      })
    })
  },
}

const ENDINGS: Partial<Record<StoredStatus, AuditKind>> = {
  answered: 'question.answered',
  cancelled: 'question.cancelled',
  stopped: 'question.stopped',
  expired: 'question.expired',
}

const ended: TrailSource = {
  kinds: ['question.answered', 'question.cancelled', 'question.stopped', 'question.expired'],
  says: { person: true, agent: true },
  async read(read, { workspaceId, filter, kinds }, range) {
    const all = Object.keys(ENDINGS) as StoredStatus[]
    const statuses = all.filter((status) => kinds.includes(ENDINGS[status] as AuditKind))
    const query = { ...filter, statuses, by: filter.personId }
    const rows = await listEnded(read, workspaceId, query, range)
    return rows.map((row) =>
      sourceRow({
        ...asker(row),
        id: row.id,
        at: row.endedAt ?? row.createdAt,
        kind: ENDINGS[row.status] ?? 'question.expired',
        tokenId: row.endedByToken ?? row.tokenId,
        ...answerer(row),
        outcome: row.status === 'answered' ? row.value : row.endReason,
        note: row.note,
      }),
    )
  },
}

const late: TrailSource = {
  kinds: ['question.answered_late'],
  says: { person: true, agent: true },
  async read(read, { workspaceId, filter }, range) {
    const { personId: by, subjectIds } = filter
    const rows = await listLate(read, workspaceId, { by, subjectIds }, range)
    const questions = await readTrailQuestions(
      read,
      rows.map((row) => row.questionId),
    )
    return rows.map((row) => {
      const question = questions.get(row.questionId)
      const about = question && asker(question)
      if (!matches(about ?? {}, filter.agent, filter.sessionId)) {
        return { id: row.id, at: row.at, entry: undefined }
      }
      return sourceRow({
        ...about,
        id: row.id,
        at: row.at,
        kind: 'question.answered_late',
        subjectId: row.questionId,
        ...answerer(row),
        outcome: row.value,
        note: row.note,
      })
    })
  },
}

const recorded: TrailSource = {
  kinds: RECORDED_KINDS,
  says: { person: true, agent: false },
  async read(read, { workspaceId, filter, kinds }, range) {
    const { personId, subjectIds } = filter
    const query = { kinds: kinds as RecordedKind[], personId, subjectIds }
    const rows = await listAudit(read, workspaceId, query, range)
    const ids = rows.map((row) => row.subjectId)
    const questions = await readTrailQuestions(
      read,
      ids.filter((id): id is QuestionId => id?.startsWith('q_') === true),
    )
    const subjectOf = ({ subjectId, subjectName }: (typeof rows)[number]) => {
      const question = questions.get(subjectId as QuestionId)
      return question ? questionTitle(question).text : subjectName
    }
    return rows.map((row) =>
      sourceRow({
        id: row.id,
        at: row.at,
        kind: row.kind,
        tokenId: row.tokenId,
        personId: row.personId,
        person: row.personName,
        subjectId: row.subjectId,
        subject: subjectOf(row),
        outcome: row.detail,
      }),
    )
  },
}

/** In the order in which things at the same instant happened. */
export const TRAIL_SOURCES: readonly TrailSource[] = [
  opened,
  notificationSource,
  delivered,
  ended,
  late,
  recorded,
]

function sourceRow(of: Parameters<typeof entry>[0]): SourceRow {
  return { id: of.id, at: of.at, entry: entry(of) }
}

function asker(row: TrailQuestion) {
  const { id, agentName, tokenId, sessionId, machineId } = row
  const { text: subject } = questionTitle(row)
  return { subjectId: id, subject, agent: agentName, tokenId, sessionId, machineId }
}

/** Names who answered and by what; a person's name is added later. */
function answerer(
  row: Pick<TrailQuestion, 'answeredBy' | 'answeredAs' | 'answeredOn' | 'answerSource'>,
) {
  const { answeredBy: personId, answeredAs, answeredOn, answerSource: source } = row
  const words = personId === null ? answeredOn && holderWords(answeredOn) : null
  const on = { deviceId: answeredOn?.id, device: answeredOn?.label }
  return { personId, person: answeredAs ?? words, source, ...on }
}

function sender(row: TrailNotification) {
  const { id, title, agentName, tokenId, sessionId, machineId } = row
  return { subjectId: id, subject: title, agent: agentName, tokenId, sessionId, machineId }
}

type About = { agent?: string | null; tokenId?: string | null; sessionId?: string | null }

function matches(about: About, agent: string | undefined, sessionId: string | undefined): boolean {
  if (sessionId !== undefined && about.sessionId !== sessionId) return false
  return agent === undefined || about.agent === agent || about.tokenId === agent
}

/** Names for what deliveries refer to; a removed device keeps its last name. */
async function aboutDeliveries(read: Read, rows: DeliveryRow[]) {
  const subjects = [...new Set(rows.map((row) => row.subjectId))]
  const questions = await readTrailQuestions(
    read,
    subjects.filter((id): id is QuestionId => id.startsWith('q_')),
  )
  const notifications = await readTrailNotifications(
    read,
    subjects.filter((id): id is NotificationId => id.startsWith('n_')),
  )
  const deviceIds = [...new Set(rows.map((row) => row.subscriberId))]
  const devices = await readSubscribers(read, deviceIds)
  const formerNames = await readSubjectNames(
    read,
    deviceIds.filter((id) => !devices.has(id)),
  )
  return {
    device: (row: DeliveryRow) =>
      devices.get(row.subscriberId)?.label ?? formerNames.get(row.subscriberId),
    subject(row: DeliveryRow) {
      const question = questions.get(row.subjectId as QuestionId)
      if (question) return asker(question)
      const notification = notifications.get(row.subjectId as NotificationId)
      return notification ? sender(notification) : {}
    },
  }
}
