import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../platform/schema.ts'
import { formSchema, titlesOf } from '../../../platform/web/form-schema.ts'
import { RuleDecision, RuleSet } from '../model/rule.ts'
import { RuleMatch } from '../model/rule-match.ts'
import { AND_TITLES } from './and-fields.tsx'
import { APPROVER_TITLE, FRESH_TITLE, NEED_TITLE } from './approver-fields.tsx'
import { FAILOVER, NEXT_TITLE } from './fail-over-fields.tsx'
import { OWNER_TITLE } from './owner-field.tsx'
import { MODE_WORDS, ON_TIMEOUT_WORDS } from './policy-words.ts'
import { ESCALATE_TITLE, TELL_TITLE } from './telling-fields.tsx'

/** The fields that say which calls a rule is for. */
export const MATCH_FIELDS = formSchema(RuleMatch, {
  toolName: { title: 'Tool', placeholder: 'Bash' },
  toolTarget: {
    title: 'On what',
    placeholder: 'git push*',
    help: 'A * at the end matches everything that begins like it.',
  },
  agentName: { title: 'Agent', placeholder: 'Codex - shop' },
  repoKey: { title: 'Repository' },
  machineId: { title: 'Machine' },
})

/** The field for the decision about approvals. */
export const DECISION_FIELDS = formSchema(Type.Object({ decision: Type.Optional(RuleDecision) }), {
  decision: {
    title: 'Decision',
    help: 'For what a hook asks before the tool is used. Nothing that looks hard to undo is allowed this way, nor a command with others joined to it.',
    none: 'Ask me',
    choices: {
      allow: { name: 'Allow without asking' },
      deny: { name: 'Decline without asking' },
      ask: { name: 'Ask me, whatever another rule says' },
    },
  },
})

/** The field that says whether a rule acts. */
export const ACTS_FIELDS = formSchema(Type.Object({ mode: Type.Optional(oneOf(['watch'])) }), {
  mode: {
    name: 'acts',
    title: 'Whether it acts',
    help: 'A rule that only watches is counted and shown, and changes nothing.',
    none: 'It acts',
    choices: { watch: { name: 'It only watches' } },
  },
})

const AS_POLICY = 'As the policy says'

/** The fields that a rule sets in the place of the policy. */
export const SET_FIELDS = formSchema(RuleSet, {
  deliveryMode: { name: 'mode', title: 'Delivery mode', choices: MODE_WORDS, none: AS_POLICY },
  onTimeout: {
    title: 'On no answer',
    help: 'The agent is then told that nobody answered, and that no person said no.',
    choices: ON_TIMEOUT_WORDS,
    none: AS_POLICY,
  },
  waitMs: { name: 'wait', title: 'Wait', unit: 'ms' },
  graceMs: { name: 'grace', title: 'Phone delay', unit: 'ms' },
  tags: { title: 'Only devices tagged', placeholder: 'work, phone' },
  failoverMs: FAILOVER,
})

/** The titles of a rule's fields, by the names of their inputs. */
export const RULE_TITLES = {
  ...titlesOf(MATCH_FIELDS),
  owner: OWNER_TITLE,
  ...titlesOf(DECISION_FIELDS),
  ...titlesOf(ACTS_FIELDS),
  ...titlesOf(SET_FIELDS),
  next: NEXT_TITLE,
  approver: APPROVER_TITLE,
  need: NEED_TITLE,
  ...AND_TITLES,
  fresh: FRESH_TITLE,
  tell: TELL_TITLE,
  escalate: ESCALATE_TITLE,
}
