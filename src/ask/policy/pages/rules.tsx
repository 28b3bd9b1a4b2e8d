/** @jsxImportSource preact */

import type { VNode } from 'preact'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { removeRule } from '../change-policy.ts'
import { bySpecificity, type Rule, type RuleId } from '../model/rule.ts'
import type { Policies } from '../model/store.ts'
import { CallPreview, readPreview } from './call-preview.tsx'
import { RuleWords } from './rule-words.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

/** `/settings/rules`: the exceptions from the policy, the most specific first. */
export async function showRules(deps: Deps, visit: SignedIn): Promise<Response> {
  const { rules } = await deps.policies.of(visit.person.workspaceId)
  const preview = await readPreview(deps, visit)
  const sorted = bySpecificity(rules)
  const mayChange = may(visit.person, 'policy')
  return html(
    <Layout
      visit={visit}
      title="Rules"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Rules</h1>
        <p class="sub">
          Exceptions from the <a href={paths.policy}>policy</a>. Of the rules that match a call the
          most specific decides: here, the one nearest the top. What somebody said yes to for a
          while stands under <a href={paths.allowed}>allowed for now</a>.
        </p>
      </div>
      {!mayChange && <OwnersChange what="the rules" />}
      {sorted.length > 0 ? (
        <ol class="things">
          {sorted.map((rule, i) => (
            <RuleCard
              rule={rule}
              first={i === 0 && sorted.length > 1}
              changing={mayChange && <RuleForms rule={rule} />}
            />
          ))}
        </ol>
      ) : (
        <Empty icon="rule" title="No exceptions yet">
          Every call is treated as the policy says. A rule can, for example, let pushes wait longer
          or keep one machine from ringing.
        </Empty>
      )}
      {mayChange && (
        <p class="more">
          <a class="button primary" href={paths.newRule}>
            <Icon name="plus" />
            Add a rule
          </a>
        </p>
      )}
      <CallPreview preview={preview} action={paths.rules} />
    </Layout>,
  )
}

export async function submitRemoveRule(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const { workspaceId, id } = visit.person
  await removeRule(deps, workspaceId, visit.params.id as RuleId, id)
  return seeOther(paths.rules)
}

type CardProps = { rule: Rule; first: boolean; changing: VNode | false }

function RuleCard({ rule, first, changing }: CardProps) {
  return (
    <li class="thing" id={`rule-${rule.id}`} data-move>
      <div>
        <p>
          <RuleWords rule={rule} />
        </p>
        {first && (
          <p class="soft">
            <span class="chip">Most specific</span>
          </p>
        )}
      </div>
      {changing}
    </li>
  )
}

function RuleForms({ rule }: { rule: Rule }) {
  return (
    <div class="thing-do">
      <a class="button small" href={href.rule(rule.id)}>
        Change
      </a>
      <details class="removing">
        <summary>Remove</summary>
        <form method="post" action={href.removeRule(rule.id)}>
          <p>Such calls follow the next rule that matches, or the policy.</p>
          <button type="submit" class="small bad">
            Remove the rule
          </button>
        </form>
      </details>
    </div>
  )
}
