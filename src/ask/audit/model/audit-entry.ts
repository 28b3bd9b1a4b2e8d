import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { SubjectId } from '../../wire/ids.ts'
import type { AuditKind } from './audit.ts'

/** One entry of the audit trail, as people, programs and exports see it. */
export type AuditEntry = {
  id: string
  /** Milliseconds since 1970. */
  at: number
  kind: AuditKind
  /** The agent's name, its token, and where it ran. */
  agent: string | undefined
  tokenId: string | undefined
  token: string | undefined
  sessionId: string | undefined
  machineId: string | undefined
  /** The person who did it, and where they did it (page, chat, notification). */
  personId: string | undefined
  person: string | undefined
  source: string | undefined
  /** The subject: the id and text of a question, the title of a notification, a name. */
  subjectId: string | undefined
  subject: string | undefined
  /** The device a message was sent to. */
  deviceId: string | undefined
  device: string | undefined
  /** The result: the answer, the reason, the failure. */
  outcome: string | undefined
  note: string | undefined
}

export type AuditFilter = {
  kinds: readonly AuditKind[] | undefined
  /** The name of an agent, or the id of its token. */
  agent: string | undefined
  personId: PersonId | undefined
  sessionId: string | undefined
  /** The questions and notifications that entries are about. */
  subjectIds?: readonly SubjectId[] | undefined
  /** From this instant (inclusive) until that one (exclusive). */
  from: number | undefined
  to: number | undefined
}

export const NO_FILTER: AuditFilter = {
  kinds: undefined,
  agent: undefined,
  personId: undefined,
  sessionId: undefined,
  from: undefined,
  to: undefined,
}

/** A query for one source of the trail. */
export type Wanted = { workspaceId: WorkspaceId; filter: AuditFilter; kinds: readonly AuditKind[] }

/** An entry without undefined fields. */
export function entry(
  of: Pick<AuditEntry, 'id' | 'at' | 'kind'> & { [K in keyof AuditEntry]?: AuditEntry[K] | null },
): AuditEntry {
  const text = (value: string | null | undefined) => value ?? undefined
  return {
    id: of.id,
    at: of.at,
    kind: of.kind,
    agent: text(of.agent),
    tokenId: text(of.tokenId),
    token: text(of.token),
    sessionId: text(of.sessionId),
    machineId: text(of.machineId),
    personId: text(of.personId),
    person: text(of.person),
    source: text(of.source),
    subjectId: text(of.subjectId),
    subject: text(of.subject),
    deviceId: text(of.deviceId),
    device: text(of.device),
    outcome: text(of.outcome),
    note: text(of.note),
  }
}
