/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import type { AuditKind } from '../../audit/model/audit.ts'
import type { AuditEntry } from '../../audit/model/audit-entry.ts'
import { Prose } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { AtTime } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { NotificationId, QuestionId } from '../../wire/ids.ts'
import { kindName, whoOf } from './trail-row.tsx'

// More devices than that are in the export.
const LINES_MAX = 40

const ENDINGS: ReadonlySet<AuditKind> = new Set([
  'question.answered',
  'question.cancelled',
  'question.stopped',
  'question.expired',
  'question.handed_over',
])

type Props = {
  /** The entry that it began with: `question.opened` or `notification.sent`. */
  first: AuditEntry
  /** Everything about it, the newest first. */
  trail: readonly AuditEntry[]
  moment: Moment
}

/** One question or notification of the audit trail, which unfolds to everything that happened to it. */
export function FoldedRow({ first, trail, moment }: Props) {
  const { id, kind, at, agent, subject, subjectId = '' } = first
  const ending = trail.find((entry) => ENDINGS.has(entry.kind))
  const lines = trail.toReversed().slice(0, LINES_MAX)
  return (
    <li class="folded" data-key={`${kind} ${id}`}>
      <details>
        <summary class="row">
          <Icon name="chevron" />
          <span class="row-main">
            <span class="row-title">
              <Prose text={subject ?? subjectId} />
            </span>
            <span class="row-sub">{agent ?? 'An agent'}</span>
          </span>
          <span class="row-side">
            <b class="row-state calm">{stateOf(first, ending)}</b>
            <AtTime at={at} moment={moment} />
          </span>
        </summary>
        <ol class="trail-lines">
          {lines.map((entry) => (
            <Line entry={entry} moment={moment} />
          ))}
        </ol>
        <p class="more">
          {trail.length > LINES_MAX && `${trail.length - LINES_MAX} more are in the export. `}
          <a href={addressOf(subjectId)}>
            {kind === 'question.opened' ? 'Open the question' : 'Open the notification'}
          </a>
        </p>
      </details>
    </li>
  )
}

function stateOf({ kind, outcome }: AuditEntry, ending: AuditEntry | undefined): string {
  if (kind === 'notification.sent') return outcome ?? 'Sent'
  if (!ending) return outcome ?? 'Open'
  const isAnswer = ending.kind === 'question.answered' && ending.outcome !== undefined
  return isAnswer ? `Answered: ${ending.outcome}` : kindName(ending.kind)
}

function Line({ entry, moment }: { entry: AuditEntry; moment: Moment }) {
  const { at, kind, outcome, note } = entry
  const details = [whoOf(entry), outcome, note].filter(Boolean).join(' · ')
  return (
    <li>
      <AtTime at={at} moment={moment} /> <b>{kindName(kind)}</b>
      {details && ` · ${details}`}
    </li>
  )
}

function addressOf(subjectId: string): string {
  return subjectId.startsWith('n_')
    ? href.notification(subjectId as NotificationId)
    : href.decide(subjectId as QuestionId)
}
