/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { cutText } from '../../../platform/text.ts'
import type { AuditKind } from '../../audit/model/audit.ts'
import type { AuditEntry } from '../../audit/model/audit-entry.ts'
import { Prose } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { AtTime } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { policyChangeWords, RuleChangeWords } from '../../policy/pages/changes-of-policy.tsx'
import { SOURCE_WORDS } from '../../questions/model/question.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'

const NAMES: Record<AuditKind, string> = {
  'question.opened': 'Question asked',
  'question.answered': 'Answered',
  'question.answered_late': 'Answered too late',
  'question.cancelled': 'Withdrawn by the agent',
  'question.stopped': 'Agent stopped',
  'question.expired': 'Expired without an answer',
  'notification.sent': 'Notification sent',
  'message.delivered': 'Delivered',
  'message.not_delivered': 'Not delivered',
  'token.created': 'Token made',
  'token.connected': 'Client connected',
  'client.added': 'Client set up',
  'client.removed': 'Client removed',
  'token.revoked': 'Token revoked',
  'token.emptied': 'Token emptied',
  'token.changed': 'Token handed over',
  'device.connected': 'Device connected',
  'device.changed': 'Device changed',
  'device.removed': 'Device removed',
  'person.added': 'Person added',
  'person.reset': 'Sign-in reset',
  'person.role_changed': 'Role changed',
  'person.switched_off': 'Person switched off',
  'person.switched_on': 'Person switched on',
  'identity.linked': 'Account connected',
  'identity.unlinked': 'Account disconnected',
  'provider.changed': 'Company sign-in changed',
  'directory.changed': 'Directory changed',
  'person.removed': 'Person removed',
  'sign_in.succeeded': 'Signed in',
  'sign_in.failed': 'Sign-in refused',
  'sign_in.ended': 'Signed out',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'password.changed': 'Password changed',
  'sign_in.set_up': 'Sign-in set up',
  'sign_in.paired': 'Phone paired',
  'sign_in.unpaired': 'Pairing ended',
  'policy.changed': 'Policy changed',
  'policy.applied': 'Policy file applied',
  'policy.glass_broken': 'Rules changed without agreement',
  'policy_token.changed': 'Token for the policy file changed',
  'rule.changed': 'Rule changed',
  'callback.changed': 'Callbacks changed',
  'switches.changed': 'Own switches changed',
  'slack.changed': 'Slack changed',
  'grant.given': 'Allowed for a while',
  'grant.ended': 'No longer allowed',
  'question.handed_over': 'Left to the terminal',
  'question.answer_undone': 'Answer taken back',
  'permit.issued': 'Permit fetched',
  'permit.used': 'Action begun',
  'permit.outcome': 'Action ended',
  'receipt.signed': 'Receipt signed',
  'history.removed': 'Old history removed',
  'clock.confirmed': 'Clock confirmed',
  'session.resumed': 'Session resumed',
  'instruction.sent': 'Told what to do next',
  'instruction.withdrawn': 'Instruction withdrawn',
  'instruction.taken': 'Instruction begun',
  'question.failed_over': 'Next person told',
  'question.escalated': 'More people told',
  'question.claimed': 'Somebody looks after it',
  'telegram.changed': 'Telegram changed',
  'chat_account.changed': 'Account in a chat changed',
  'gate.changed': 'Gate changed',
  'group.changed': 'Group changed',
  'rota.changed': 'Rota changed',
  'visibility.changed': 'What members see changed',
  'vote.given': 'Vote',
  'vote.changed': 'Vote changed',
  'vote.withdrawn': 'Vote withdrawn',
  'vote.void': 'Vote no longer counts',
}

export function kindName(kind: AuditKind): string {
  return NAMES[kind]
}

const SIDE_MAX = 40
const DETAIL_MAX = 400

/** One row of the audit trail: what, who, where, and the result. */
export function TrailRow({ entry, moment }: { entry: AuditEntry; moment: Moment }) {
  const { id, at, kind, subject, subjectId, outcome } = entry
  const about = subject ?? subjectId ?? ''
  const change = changeWords(kind, outcome)
  return (
    <li class="row" data-key={`${kind} ${id}`}>
      <span class="row-main">
        <span class="row-title">
          {kindName(kind)}
          {about && ': '}
          {subjectId?.startsWith('q_') ? (
            <a href={href.decide(subjectId as QuestionId)}>
              <Prose text={about} />
            </a>
          ) : (
            about
          )}
        </span>
        {change && <span>{change}</span>}
        <span class="row-sub">{whoOf(entry)}</span>
      </span>
      <span class="row-side">
        {outcome && !change && <b class="row-state calm whole">{outcome}</b>}
        <AtTime at={at} moment={moment} />
      </span>
    </li>
  )
}

/** The detail of a change in words, where programs read it as JSON. */
function changeWords(kind: AuditKind, detail: string | undefined): ComponentChildren {
  if (detail === undefined) return undefined
  if (kind === 'rule.changed') return <RuleChangeWords detail={detail} />
  if (kind === 'policy.changed') return policyChangeWords(detail)
  // Too long for the column at the side, such as everybody who came into a group.
  return detail.length > SIDE_MAX ? cutText(detail, DETAIL_MAX) : undefined
}

/** Names who did it, on which device and from where. */
export function whoOf({ person, agent, device, source, token }: AuditEntry): string {
  const from = source && SOURCE_WORDS[source as AnswerSource]
  return [person ?? agent, device, from, token].filter(Boolean).join(' · ')
}
