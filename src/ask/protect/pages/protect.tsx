/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { FormField, formField, readForm, type Wrong } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may, type Person } from '../../accounts/model/person.ts'
import { listPeople } from '../../accounts/model/person-store.ts'
import type { Group } from '../../groups/model/group.ts'
import { listGroups } from '../../groups/model/store.ts'
import { chosenFirst } from '../../pages/chosen-first.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { type Page, pagesWith, signedInPage } from '../../pages/page.ts'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { usedGroups } from '../../policy/guard.ts'
import type { Protect } from '../../policy/model/protect.ts'
import { NEED_MAX } from '../../policy/model/rule-approve.ts'
import { listRules, readOrigin, readProtect } from '../../policy/model/store.ts'
import { FromFile } from '../../policy/pages/from-file.tsx'
import { setProtect } from '../../policy/protect.ts'
import { isExternal } from '../../policy-file/model/policy-state.ts'
import { findVisible } from '../../questions/find-visible.ts'
import type { Question } from '../../questions/model/question.ts'
import type { SettingsRow } from '../../settings-row.ts'
import { listProposals } from '../model/store.ts'
import { protectPath } from '../paths.ts'

type Deps = { db: Db; clock: Clock }
type View = { draft?: Protect; wrong?: Wrong; status?: number }

/** The page that sets who has to agree to changes of who may decide. */
export function protectPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', protectPath, (d: Deps, visit) => protectPage(d, visit, {})),
    signedInPage('POST', protectPath, submitProtect, 'policy'),
  ])
}

export function protectRow({ db }: Pick<Deps, 'db'>): SettingsRow {
  return {
    group: 'people',
    to: protectPath,
    icon: 'key',
    name: 'Who guards the rules',
    async state({ person }) {
      const isSet = (await readProtect(db.read, person.workspaceId)) !== undefined
      return { words: isSet ? 'Others have to agree to changes' : 'Every owner changes them alone' }
    },
  }
}

/** `null` if nobody is chosen. */
function protectIn(form: URLSearchParams): Protect | null {
  const from = form.getAll('from').filter((id) => id !== '')
  return from.length === 0 ? null : { from, need: Number(formField(form, 'need') || 1) }
}

async function submitProtect(deps: Deps, visit: SignedIn): Promise<Response> {
  const draft = protectIn(await readForm(visit.request))
  const { workspaceId, id } = visit.person
  const need = draft?.need ?? 1
  if (!Number.isInteger(need) || need < 1 || need > NEED_MAX) {
    const wrong = new Map([['need', `It must be a whole number from 1 to ${NEED_MAX}.`]])
    return protectPage(deps, visit, { ...(draft && { draft }), wrong, status: 422 })
  }
  try {
    await setProtect(deps, workspaceId, draft, id)
  } catch (error) {
    if (!(error instanceof Failure) || error.fields.length === 0) throw error
    const wrong = new Map([['need', `It ${error.fields[0]?.must}.`]])
    return protectPage(deps, visit, { ...(draft && { draft }), wrong, status: error.status })
  }
  return seeOther(protectPath)
}

async function protectPage({ db }: Deps, visit: SignedIn, view: View): Promise<Response> {
  const { workspaceId } = visit.person
  const protect = view.draft ?? (await readProtect(db.read, workspaceId))
  const origin = await readOrigin(db.read, workspaceId)
  const open = await Promise.all(
    (await listProposals(db.read, workspaceId)).map(({ questionId }) =>
      findVisible(db.read, visit.person, questionId),
    ),
  )
  const lists = {
    groups: await listGroups(db.read, workspaceId),
    people: await listPeople(db.read, workspaceId),
  }
  const changes = may(visit.person, 'policy') && !origin
  const rules = await listRules(db.read, workspaceId)
  const used = usedGroups(
    rules.filter(({ approve }) => approve),
    protect,
  )
  return html(
    <Layout
      visit={visit}
      title="Who guards the rules"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Who guards the rules</h1>
        <p class="sub">
          Without guards an owner changes alone who may decide: a rule, a group, a provider. With
          guards each such change is proposed, and made once enough of them agree. Nobody agrees to
          their own.
        </p>
      </div>
      {origin && <FromFile origin={origin} visit={visit} />}
      {!(changes || origin) && <OwnersChange what="the guards" />}
      <FilledElsewhere groups={lists.groups.filter((one) => used.has(one.id) && isExternal(one))} />
      <Proposals questions={open.filter((one) => one !== undefined)} />
      {changes ? (
        <ProtectForm {...{ ...lists, protect, wrong: view.wrong }} />
      ) : (
        <Guards {...{ ...lists, protect }} />
      )}
    </Layout>,
    view.status,
  )
}

/** Groups that guards do not guard: whoever runs their directory or provider fills them. */
function FilledElsewhere({ groups }: { groups: readonly Group[] }) {
  if (groups.length === 0) return null
  return (
    <p class="rule">
      <SafeText text={groups.map(({ name }) => name).join(', ')} />: filled by a directory or a
      sign-in provider. Whoever runs it puts people in without a proposal; the audit trail says who
      came and went.
    </p>
  )
}

function Proposals({ questions }: { questions: readonly Question[] }) {
  if (questions.length === 0) return null
  return (
    <section class="part">
      <h2>Proposed</h2>
      <ul class="things">
        {questions.map(({ id, question }) => (
          <li class="thing">
            <p class="thing-name">
              <a href={href.decide(id)}>
                <SafeText text={question} />
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ListProps = {
  groups: readonly Group[]
  people: readonly Person[]
  protect: Protect | undefined
}

function ProtectForm({ groups, people, protect, wrong }: ListProps & { wrong: Wrong | undefined }) {
  const chosen = new Set(protect?.from)
  const all: Array<Group | Person> = [...groups, ...people]
  return (
    <form method="post" action={protectPath} class="part requests">
      <fieldset class="switches">
        <legend>Who has to agree</legend>
        {chosenFirst(all, chosen).map((one) => (
          <label>
            <input type="checkbox" name="from" value={one.id} checked={chosen.has(one.id)} />
            <span>
              <SafeText text={one.name} />{' '}
              <span class="soft">{'email' in one ? one.email : 'group'}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <FormField
        name="need"
        label="How many of them"
        type="number"
        min={1}
        max={NEED_MAX}
        draft={{ need: String(protect?.need ?? 1) }}
        {...(wrong && { wrong })}
      >
        Choose nobody above to let every owner change the rules alone.
      </FormField>
      <button type="submit" class="primary">
        Save
      </button>
    </form>
  )
}

function Guards({ groups, people, protect }: ListProps) {
  if (!protect) return <p class="soft">Nobody: every owner changes them alone.</p>
  const names = [...groups, ...people].filter(({ id }) => protect.from.includes(id))
  return (
    <p>
      {protect.need ?? 1} of{' '}
      <b>
        <SafeText text={names.map(({ name }) => name).join(' or ')} />
      </b>
    </p>
  )
}
