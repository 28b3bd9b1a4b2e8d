import type { Read } from '../../platform/db/database.ts'
import type { Marked, SealMarks } from '../../platform/db/seal-marks.ts'
import { contentDigest, type Fact, type FactKind } from '../audit/model/fact.ts'
import { deliveryMarks } from '../delivery/model/seal-store.ts'
import type { DeliveryRow } from '../delivery/model/store.ts'
import { notificationMarks, type SealedNotification } from '../notifications/model/store.ts'
import {
  endMarks,
  type LateRow,
  lateMarks,
  openingMarks,
  type QuestionRow,
} from '../questions/model/seal-store.ts'
import { endContent, openingContent, sealedOn } from '../questions/model/sealed-content.ts'

/** A table that facts are read from. */
type FactSource = {
  marks: Pick<
    SealMarks<unknown>,
    'mark' | 'countWithin' | 'listWithin' | 'findOutside' | 'countUnsealed'
  >
  listUnsealed(read: Read, limit: number): Promise<Fact[]>
  find(read: Read, ids: readonly string[]): Promise<Map<string, SealedFact>>
}

/** A fact, and the link that seals it according to its row. */
export type SealedFact = { fact: Fact; seal: number | null }

const nobody = { tokenId: null, personId: null, deviceId: null, outcome: null }

/** In the order in which they are sealed. */
export const FACT_SOURCES: Record<FactKind, FactSource> = {
  'question.opened': source(openingMarks, opened),
  'question.ended': source(endMarks, ended),
  'question.answered_late': source(lateMarks, late),
  'notification.sent': source(notificationMarks, notificationFact),
  'message.ended': source(deliveryMarks, delivered),
}

function source<Row>(marks: SealMarks<Row>, factOf: (row: Row) => Fact): FactSource {
  const sealed = ({ row, seal }: Marked<Row>): SealedFact => ({ fact: factOf(row), seal })
  return {
    marks,
    listUnsealed: async (read, limit) => (await marks.listUnsealed(read, limit)).map(factOf),
    async find(read, ids) {
      const rows = await marks.find(read, ids)
      return new Map([...rows].map(([id, one]) => [id, sealed(one)]))
    },
  }
}

function opened(row: QuestionRow): Fact {
  const { id, workspaceId, createdAt: at, tokenId, held } = row
  return {
    kind: 'question.opened',
    id,
    workspaceId,
    at,
    subjectId: id,
    ...nobody,
    tokenId,
    outcome: held,
    sha256: contentDigest(openingContent(row)),
  }
}

function ended(row: QuestionRow): Fact {
  const { id, workspaceId, createdAt, endedAt, answeredBy: personId, status } = row
  const tokenId = row.endedByToken ?? row.tokenId
  return {
    kind: 'question.ended',
    id,
    workspaceId,
    at: endedAt ?? createdAt,
    subjectId: id,
    ...nobody,
    tokenId,
    personId,
    deviceId: row.answeredOn?.id ?? null,
    outcome: status,
    sha256: contentDigest(endContent(row)),
  }
}

function late(row: LateRow): Fact {
  const { id, workspaceId, at, questionId: subjectId, answeredBy: personId } = row
  const { value, note, answerSource, answeredAs } = row
  return {
    kind: 'question.answered_late',
    id,
    workspaceId,
    at,
    subjectId,
    ...nobody,
    personId,
    deviceId: row.answeredOn?.id ?? null,
    sha256: contentDigest([value, note, answerSource, answeredAs, ...sealedOn(row)]),
  }
}

function notificationFact(row: SealedNotification): Fact {
  const { id, workspaceId, createdAt: at, tokenId, held } = row
  const { title, body, agentName, machineId, sessionId, context } = row
  const { targeting, test, questionId, groupId, groupSize } = row
  const content = [
    title,
    body,
    agentName,
    machineId,
    sessionId,
    context,
    row.url,
    row.iconUrl,
    row.imageUrl,
    targeting,
    test,
    questionId,
    groupId,
    groupSize,
  ]
  return {
    kind: 'notification.sent',
    id,
    workspaceId,
    at,
    subjectId: id,
    ...nobody,
    tokenId,
    outcome: held,
    sha256: contentDigest(content),
  }
}

// Later reports of the device are not part of the fact.
function delivered(row: DeliveryRow): Fact {
  const { id, workspaceId, createdAt, endedAt, subjectId, subscriberId: deviceId } = row
  const { kind, message, attempts, lastStatus, lastError } = row
  return {
    kind: 'message.ended',
    id,
    workspaceId,
    at: endedAt ?? createdAt,
    subjectId,
    ...nobody,
    deviceId,
    outcome: row.state,
    sha256: contentDigest([kind, message, attempts, lastStatus, lastError, createdAt]),
  }
}
