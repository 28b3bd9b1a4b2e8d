/** @jsxImportSource preact */
import { ExampleLists } from '../../pages/examples.tsx'
import { href } from '../../pages/paths.ts'
import { questionTitle } from '../../questions/model/title.ts'
import { examplesOfRule } from '../rule-examples.ts'
import type { Trial, Tried } from '../try-rule.ts'
import type { RuleNames } from './policy-words.ts'
import type { TypedRule } from './rule-form.ts'
import { RuleWords } from './rule-words.tsx'

// The first ones tell enough.
const SHOWN = 10

const NOTHING_ALLOWED =
  'It would allow none of the calls tried here. A command is allowed only if it is read to its end and looks harmless.'

type Props = { rule: TypedRule; trial: Trial; names: RuleNames }

/** A rule in words, and what it would have done with the last calls. Nothing is saved by it. */
export function TriedRule({ rule, trial, names }: Props) {
  const { decided, calls, beaten } = trial
  const rest = decided.length - SHOWN
  const examples = examplesOfRule(rule)
  return (
    <section class="part" id="tried">
      <h2>What it does</h2>
      <p>
        <RuleWords rule={rule} names={names} />
      </p>
      {examples && examples.would.length === 0 && <p class="soft">{NOTHING_ALLOWED}</p>}
      {examples && <ExampleLists examples={examples} />}
      <p class="verdict" role="status">
        {verdict(trial)}
      </p>
      {decided.length > 0 && (
        <ul class="rows">
          {decided.slice(0, SHOWN).map((one) => (
            <TriedCall tried={one} />
          ))}
        </ul>
      )}
      {rest > 0 && <p class="soft">and {rest} more</p>}
      {beaten > 0 && (
        <p class="soft">
          {beaten === 1 ? 'One more matches' : `${beaten} more match`}, but a more specific rule
          decides.
        </p>
      )}
      {calls > 0 && rule.decision === 'allow' && (
        <p class="soft">A scope that holds at that time may still ask.</p>
      )}
    </section>
  )
}

function verdict({ calls, decided }: Trial): string {
  if (calls === 0) return 'No call has been made yet to try it on.'
  const of = calls === 1 ? 'the only call so far' : `the last ${calls} calls`
  const askCount = decided.filter(({ would }) => would === 'asked').length
  const summary = `It would have decided ${decided.length - askCount} of ${of}`
  return askCount === 0 ? `${summary}.` : `${summary}, and ${askCount} would still have been asked.`
}

const WOULD: Record<Tried['would'], string> = {
  allow: 'allowed',
  deny: 'declined',
  asked: 'still asked',
  set: 'asked this way',
}

function TriedCall({ tried: { question, would } }: { tried: Tried }) {
  const { toolName, toolTarget } = question.detail
  const target = toolTarget === undefined ? '' : ` on ${toolTarget}`
  return (
    <li class="row">
      <a class="row-main" href={href.decide(question.id)}>
        <span class="row-title clamp">
          {toolName === undefined ? questionTitle(question).text : toolName + target}
        </span>
        <span class="row-sub">
          {question.agentName ?? 'An agent'} · <b>{WOULD[would]}</b>
        </span>
      </a>
    </li>
  )
}
