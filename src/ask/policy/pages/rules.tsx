/** @jsxImportSource preact */

import type { VNode } from 'preact'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Read } from '../../../platform/db/database.ts'
import { durationWords } from '../../../platform/duration.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { may } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import { listGroups } from '../../groups/model/store.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { href, paths } from '../../pages/paths.ts'
import { repositoryName } from '../../pages/repository-name.ts'
import { Ago } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import { isNameOfTarget } from '../../votes/model/target.ts'
import { removeRule } from '../change-policy.ts'
import type { Rule, RuleId } from '../model/rule.ts'
import type { RuleApprove } from '../model/rule-approve.ts'
import { bySpecificity } from '../model/rule-index.ts'
import type { Policies } from '../model/store.ts'
import { CALLS_OF_USE, lastUses } from '../try-rule.ts'
import { CallPreview, readPreview } from './call-preview.tsx'
import { FromFile } from './from-file.tsx'
import { ruleDoes } from './policy-words.ts'
import { RuleWords } from './rule-words.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

/** `/settings/rules`: the exceptions from the policy, the most specific first. */
export async function showRules(deps: Deps, visit: SignedIn): Promise<Response> {
  const { rules, origin } = await deps.policies.of(visit.person.workspaceId)
  const preview = await readPreview(deps, visit)
  const words = visit.url.searchParams.get('q')?.trim() ?? ''
  const groups = groupsOf(bySpecificity(rules), words)
  const uses = await lastUses(deps, visit.person)
  const names = await readNames(deps.db.read, visit.person.workspaceId, rules)
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
                usedAt={uses.get(rule.id)}
                moment={visit.moment}
                changing={mayChange && <RuleForms rule={rule} />}
              />
            ))}
          </ol>
        </section>
      ))}
      {rules.length > 0 && groups.length === 0 && <p>No rule has these words.</p>}
      {rules.length === 0 && (
        <Empty icon="rule" title="No exceptions yet">
          Every call is treated as the policy says. A rule can, for example, let pushes wait longer
          or keep one machine from ringing.
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
function groupsOf(rules: readonly Rule[], words: string): Array<[name: string, rules: Rule[]]> {
  const wanted = words.toLowerCase().split(/\s+/)
  const matching = rules.filter((rule) => wanted.every((word) => textOf(rule).includes(word)))
  const groups = Map.groupBy(matching, ({ match }) =>
    match.repoKey === undefined ? ANYWHERE : repositoryName(match.repoKey),
  )
  return [...groups].sort(([a], [b]) =>
    a === ANYWHERE ? -1 : b === ANYWHERE ? 1 : a.localeCompare(b),
  )
}

function textOf(rule: Rule): string {
  return [...Object.values(rule.match), ruleDoes(rule)].join(' ').toLowerCase()
}

/** The names of groups and people, where rules name any. */
async function readNames(read: Read, workspaceId: WorkspaceId, rules: readonly Rule[]) {
  if (!rules.some(({ approve }) => approve)) return new Map<string, string>()
  const all = [...(await listGroups(read, workspaceId)), ...(await listPeople(read, workspaceId))]
  return new Map<string, string>(all.map(({ id, name }) => [id, name]))
}

type ApproveProps = { rule: Rule; approve: RuleApprove; names: ReadonlyMap<string, string> }

/** Who has to agree, by name; says if a caller could avoid the rule by calling itself otherwise. */
function ApproveWords({ rule: { match }, approve, names }: ApproveProps) {
  const { from, need = 1, and = [], where, except = [], tell, escalate = [] } = approve
  const nameOf = (id: string) => (isNameOfTarget(id) ? id : (names.get(id) ?? '(gone)'))
  const places = [{ from, need }, ...and.map((more) => ({ from: more.from, need: more.need ?? 1 }))]
  const words = places.map((one) => {
    const who = one.from.map(nameOf).join(' or ')
    return `${one.need} of ${who}`
  })
  const isClaimed = match.owner === undefined && match.token === undefined
  return (
    <>
      <p class="soft">
        Needs <SafeText text={words.join(' and ')} />.{placeWords(where)}
        {except.length > 0 &&
          ` Not for ${except.length === 1 ? 'one kind' : `${except.length} kinds`} of call that it excepts.`}
      </p>
      {(tell || escalate.length > 0) && (
        <p class="soft">
          <SafeText text={tellingWords(approve, nameOf)} />
        </p>
      )}
      {isClaimed && Object.keys(match).length > 0 && (
        <p class="soft">
          It matches on what agents say of themselves. A rule that names an owner, or nothing,
          cannot be avoided.
        </p>
      )}
    </>
  )
}

/** `Tells engineers; after 10 min owners.` */
function tellingWords(
  { tell, escalate = [] }: Pick<RuleApprove, 'tell' | 'escalate'>,
  nameOf: (id: string) => string,
): string {
  const first = tell ? tell.map(nameOf).join(', ') : 'whoever may decide'
  const steps = escalate.map(
    (one) => `after ${durationWords(one.afterMs)} ${one.tell.map(nameOf).join(', ')}`,
  )
  return `Tells ${[first, ...steps].join('; ')}.`
}

function placeWords(where: RuleApprove['where']): string {
  if (where?.length !== 1) return ''
  return where[0] === 'page' ? ' A yes is given on the page.' : ' A yes is given in a chat.'
}

type CardProps = {
  rule: Rule
  names: ReadonlyMap<string, string>
  usedAt: number | undefined
  moment: Moment
  changing: VNode | false
}

function RuleCard({ rule, names, usedAt, moment, changing }: CardProps) {
  return (
    <li class="thing" id={`rule-${rule.id}`} data-move>
      <div>
        <p>
          <RuleWords rule={rule} />
        </p>
        {rule.name !== undefined && (
          <p class="soft">
            <code>{rule.name}</code> in the file
          </p>
        )}
        {rule.approve && <ApproveWords rule={rule} approve={rule.approve} names={names} />}
        {rule.decision === 'allow' && (
          <p class="soft">…except what deserves a second look: that always asks.</p>
        )}
        <p class="soft">
          {usedAt === undefined ? (
            `Not used by the last ${CALLS_OF_USE} calls`
          ) : (
            <>
              Last used <Ago at={usedAt} moment={moment} />
            </>
          )}
        </p>
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
