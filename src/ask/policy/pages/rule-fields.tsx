/** @jsxImportSource preact */
import { type Draft, FieldProblem, type Wrong } from '../../../platform/web/form.tsx'
import { DELIVERY_MODES, ON_TIMEOUT } from '../../wire/delivery-mode.ts'
import { MODE_WORDS, ON_TIMEOUT_WORDS } from './policy-words.ts'
import { RULE_LABELS } from './rule-form.ts'

/** The field for the decision about approvals. */
export function DecisionField({ draft }: { draft: Draft }) {
  return (
    <div class="field">
      <label for="decision">{RULE_LABELS.decision}</label>
      <p class="rule" id="decision-what">
        For what a hook asks before the tool is used. Nothing that looks hard to undo is allowed
        this way, nor a command with others joined to it.
      </p>
      <select id="decision" name="decision" aria-describedby="decision-what">
        {Object.entries(DECISION_CHOICES).map(([decision, words]) => (
          <option value={decision} selected={(draft.decision ?? '') === decision}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

const DECISION_CHOICES = {
  '': 'Ask me',
  allow: 'Allow without asking',
  deny: 'Decline without asking',
  ask: 'Ask me, whatever another rule says',
}

/** Where a rule lets matching calls ask. */
export function ModeField({ draft, wrong }: { draft: Draft; wrong: Wrong }) {
  const problem = wrong.get('mode')
  return (
    <div class="field">
      <label for="mode">{RULE_LABELS.mode}</label>
      <select
        id="mode"
        name="mode"
        aria-describedby={problem && 'mode-wrong'}
        aria-invalid={problem ? 'true' : undefined}
      >
        <option value="">As the policy says</option>
        {DELIVERY_MODES.map((mode) => (
          <option value={mode} selected={draft.mode === mode}>
            {MODE_WORDS[mode].name}
          </option>
        ))}
      </select>
      <FieldProblem name="mode" wrong={wrong} />
    </div>
  )
}

/** The field for the decision when nobody answers. */
export function OnTimeoutField({ draft }: { draft: Draft }) {
  return (
    <div class="field">
      <label for="onTimeout">{RULE_LABELS.onTimeout}</label>
      <p class="rule" id="onTimeout-what">
        The agent is then told that nobody answered, and that no person said no.
      </p>
      <select id="onTimeout" name="onTimeout" aria-describedby="onTimeout-what">
        <option value="">As the policy says</option>
        {ON_TIMEOUT.map((value) => (
          <option value={value} selected={draft.onTimeout === value}>
            {ON_TIMEOUT_WORDS[value].name}
          </option>
        ))}
      </select>
    </div>
  )
}
