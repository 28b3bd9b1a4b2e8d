/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from 'preact'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { href, paths } from '../../pages/paths.ts'
import { repositoryName } from '../../pages/repository-name.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { removeRule } from '../change-policy.ts'
import { countWatched, type WatchCounts } from '../count-watched.ts'
import type { Rule, RuleId } from '../model/rule.ts'
import { bySpecificity } from '../model/rule-index.ts'
import type { Policies } from '../model/store.ts'
import { CALLS_OF_USE, lastUses } from '../try-rule.ts'
import { ApproveWords, Claimed, isClaimed, readRuleNames, tellingWords } from './approve-words.tsx'
import { CallPreview, readPreview } from './call-preview.tsx'
import { FromFile } from './from-file.tsx'
import { type RuleNames, ruleDoes } from './policy-words.ts'
import { RuleWords } from './rule-words.tsx'
import { watchSentences } from './watch-words.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

/** `/settings/rules`: the exceptions from the policy, the most specific first. */
export async function showRules(deps: Deps, visit: SignedIn): Promise<Response> {
  const { allRules: rules, origin } = await deps.policies.of(visit.person.workspaceId)
  const preview = await readPreview(deps, visit)
  const words = visit.url.searchParams.get('q')?.trim() ?? ''
  const names = await readRuleNames(deps.db.read, visit.person.workspaceId, rules)
  const groups = groupsOf(bySpecificity(rules), words, names)
  const uses = await lastUses(deps, visit.person)
  const counts = rules.some(({ mode }) => mode)
    ? await countWatched(deps.db.read, visit.person, visit.moment.now)
    : undefined
  const mayChange = may(visit.person, 'policy') && !origin
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
          most specific decides; <a href="#try">try a call</a> shows which. What somebody said yes
          to for a while stands under <a href={paths.allowed}>allowed for now</a>.
          {may(visit.person, 'policy') && !origin && (
            <>
              {' '}
              A team can keep all of it <a href={paths.policyFile}>in a file</a>.
            </>
          )}
        </p>
        {rules.some(isClaimed) && <Claimed />}
      </div>
      {origin && <FromFile origin={origin} visit={visit} />}
      {!(mayChange || origin) && <OwnersChange what="the rules" />}
      {mayChange && (
        <div class="adding">
          <a class="button primary" href={paths.newRule}>
            <Icon name="plus" />
            Add a rule
          </a>
        </div>
      )}
      {rules.length > FEW && <SearchForm words={words} />}
      {groups.map(([name, group]) => (
        <section class="part" aria-label={name}>
          <h2>{name}</h2>
          <ol class="things">
            {group.map((rule) => (
              <RuleCard
                rule={rule}
                names={names}
                use={
                  rule.mode && counts
                    ? watchedWords(rule, counts, names)
                    : useWords(uses.get(rule.id), visit.moment)
                }
                changing={mayChange && <RuleForms rule={rule} />}
              />
            ))}
          </ol>
        </section>
      ))}
      {rules.length > 0 && groups.length === 0 && <p>No rule has these words.</p>}
      {rules.length === 0 && (
        <Empty icon="rule" title="No exceptions yet">
          Every call is treated as the policy says. A rule can, for example, let two people decide
          about production, or let pushes wait longer.
        </Empty>
      )}
      <div id="try">
        <CallPreview preview={preview} action={paths.rules} />
      </div>
    </Layout>,
  )
}

export async function submitRemoveRule(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const { workspaceId, id } = visit.person
  await removeRule(deps, workspaceId, visit.params.id as RuleId, id)
  return seeOther(paths.rules)
}

// A list that is seen at a glance needs no search.
const FEW = 4

function SearchForm({ words }: { words: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: older assistive software does not know <search>.
    <form class="search" role="search" action={paths.rules}>
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={words}
        placeholder="Search"
        aria-label="Search the rules"
        data-search
      />
    </form>
  )
}

const ANYWHERE = 'In every repository'

/** The rules that have all these words, by repository: those for every repository come first. */
function groupsOf(
  rules: readonly Rule[],
  words: string,
  names: RuleNames,
): Array<[name: string, rules: Rule[]]> {
  const wanted = words.toLowerCase().split(/\s+/)
  const matching = rules.filter((rule) =>
    wanted.every((word) => textOf(rule, names).includes(word)),
  )
  const groups = Map.groupBy(matching, ({ match }) =>
    match.repoKey === undefined ? ANYWHERE : repositoryName(match.repoKey),
  )
  return [...groups].sort(([a], [b]) =>
    a === ANYWHERE ? -1 : b === ANYWHERE ? 1 : a.localeCompare(b),
  )
}

function textOf({ match, approve, ...rule }: Rule, names: RuleNames): string {
  const telling = approve ? [tellingWords(approve, names)] : []
  return [...Object.values(match), ruleDoes({ ...rule, approve }, names), ...telling]
    .join(' ')
    .toLowerCase()
}

type CardProps = {
  rule: Rule
  names: RuleNames
  use: ComponentChildren
  changing: VNode | false
}

function RuleCard({ rule, names, use, changing }: CardProps) {
  return (
    <li class="thing" id={`rule-${rule.id}`} data-move>
      <div>
        <p>
          <RuleWords rule={rule} names={names} />
        </p>
        {rule.name !== undefined && (
          <p class="soft">
            <code>{rule.name}</code> in the file
          </p>
        )}
        {rule.approve && <ApproveWords approve={rule.approve} names={names} />}
        {rule.decision === 'allow' && (
          <p class="soft">…except what deserves a second look: that always asks.</p>
        )}
        <p class="soft">{use}</p>
      </div>
      {changing}
    </li>
  )
}

function useWords(usedAt: number | undefined, moment: Moment): ComponentChildren {
  if (usedAt === undefined) return `Not used by the last ${CALLS_OF_USE} calls`
  return (
    <>
      Last used <Ago at={usedAt} moment={moment} />
    </>
  )
}

function watchedWords({ id }: Rule, { byRule, isPartial }: WatchCounts, names: RuleNames) {
  const words = watchSentences(byRule.get(id), names, isPartial).join(' ')
  return <SafeText text={`Only watched: ${words}`} />
}

function RuleForms({ rule }: { rule: Rule }) {
  return (
    <div class="thing-do">
      {rule.mode && (
        <form method="post" action={href.rule(rule.id)}>
          <button type="submit" name="act" value="yes">
            Make it act
          </button>
        </form>
      )}
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
