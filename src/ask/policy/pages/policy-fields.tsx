/** @jsxImportSource preact */

import { formSchema, titlesOf } from '../../../platform/web/form-schema.ts'
import { QuietHours } from '../../subscribers/model/quiet-hours.ts'
import { Policy } from '../model/policy.ts'
import { RuleSet } from '../model/rule.ts'
import { FAILOVER, NEXT_TITLE } from './fail-over-fields.tsx'
import { CHAT_WORDS, MODE_WORDS } from './policy-words.ts'

/** The fields of the policy page that are one value each; docs/policy.md has the same terms. */
export const POLICY_FIELDS = formSchema(Policy, {
  deliveryMode: { name: 'mode', title: 'Delivery mode', choices: MODE_WORDS },
  waitMs: {
    name: 'wait',
    title: 'Wait',
    unit: 'ms',
    help: 'How long a call waits for an answer. The question stays open for ten minutes in any case.',
  },
  longLifeMs: {
    name: 'life',
    title: 'Life of followed questions',
    unit: 'ms',
    help: 'How long a question stays open when its agent ends the call and follows the question instead, as Claude Code does. It gets the answer whenever it is given.',
  },
  holdMs: {
    name: 'hold',
    title: 'Longer calls',
    unit: 'ms',
    help: (
      <>
        How long calls of clients are held that <code>beckon setup</code> told to wait longer, so
        that their agents spend no turns on waiting. With 0 no call is held longer than 55 seconds.
      </>
    ),
  },
  graceMs: {
    name: 'grace',
    title: 'Phone delay',
    unit: 'ms',
    help: 'How long phones wait after browsers before they ring. With 0 they ring at the same time.',
  },
  presenceMs: {
    name: 'presence',
    title: 'Presence',
    unit: 'ms',
    help: 'How long phones stay silent after you typed a prompt at the agent’s machine, but never longer than a minute or half of the wait. With 0 they always ring at once.',
  },
  pauseAfterUnanswered: {
    name: 'pause',
    title: 'Pause',
    help: 'This many unanswered approvals in a row pause a session: its approvals are no longer sent until you answer one or resume it. 0 to 100; with 0 it never pauses.',
  },
  failoverMs: FAILOVER,
  remindMs: {
    name: 'remind',
    title: 'Reminders',
    unit: 'ms',
    help: 'After which time without an answer you are reminded of a question that its agent follows: three times at most, not in quiet hours, and not if you chose “Later”. With 0 you never are.',
  },
  turnMs: {
    name: 'turn',
    title: 'Ended turns',
    unit: 'ms',
    help: 'You are told that an agent’s turn ended if it took this long and nobody was at its terminal for as long. With 0 you never are.',
  },
  chatAnswers: { name: 'chats', title: 'Answers in chats', choices: CHAT_WORDS },
})

/** The fields of the quiet hours, which count only if these are on. */
export const HOURS_FIELDS = formSchema(QuietHours, {
  from: { title: 'From', type: 'time' },
  to: { title: 'To', type: 'time' },
  zone: { title: 'Time zone', maxLength: 64 },
})

/** The devices of the policy, by their tags as in a rule. */
export const TAGS_FIELDS = formSchema(RuleSet, {
  tags: {
    title: 'Only devices tagged',
    placeholder: 'All devices',
    maxLength: 2000,
    help: 'Tags, separated by commas. A call that names its own devices takes precedence.',
  },
})

/** The titles of the fields, by the names of their inputs. */
export const POLICY_TITLES = {
  ...titlesOf(POLICY_FIELDS),
  ...titlesOf(HOURS_FIELDS),
  ...titlesOf(TAGS_FIELDS),
  quiet: 'Quiet hours',
  next: NEXT_TITLE,
}
