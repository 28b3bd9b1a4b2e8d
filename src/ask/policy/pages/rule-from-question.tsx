/** @jsxImportSource preact */

import type { Db } from '../../../platform/db/database.ts'
import type { Draft } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { href } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { findVisible } from '../../questions/find-visible.ts'
import type { Question } from '../../questions/model/question.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { Rule } from '../model/rule.ts'
import { exactRule } from '../model/rule-decision.ts'
import { RuleWords } from './rule-words.tsx'

/** A rule that allows the command of a question from now on, before it is saved. */
export type FromQuestion = { question: Question; rule: Rule; draft: Draft }

/** Undefined if there is no such question, or no rule could allow exactly its command. */
export async function ruleFromQuestion(
  { db }: { db: Db },
  { person, moment }: SignedIn,
  id: string | null,
): Promise<FromQuestion | undefined> {
  if (!id) return undefined
  const { workspaceId } = person
  const question = await findVisible(db.read, person, id as QuestionId)
  const match = question && exactRule(question)
  if (!match) return undefined
  const decision = 'allow'
  const rule = {
    id: 'rule_',
    workspaceId,
    match,
    set: {},
    decision,
    createdAt: moment.now,
  } as const
  return { question, rule, draft: { ...match, decision } }
}

/** Shows in words what the rule would allow, while nothing is saved. */
export function FromQuestionWords({ question, rule }: FromQuestion) {
  const where = rule.match.repoKey === undefined ? 'in every project' : 'in this repository'
  return (
    <section class="part" aria-label="What this rule would allow">
      <p class="warn">
        <Icon name="rule" />
        <span>
          <RuleWords rule={rule} /> That is every agent and every session {where}, in every folder
          and on every machine, until you remove the rule. Nothing is saved yet.
        </span>
      </p>
      <p>
        <a href={href.decide(question.id)}>Back to the question</a>, which still waits for its own
        answer.
      </p>
    </section>
  )
}
