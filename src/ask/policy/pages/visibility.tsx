/** @jsxImportSource preact */

import { formField, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may, VISIBILITIES, type Visibility } from '../../accounts/model/person.ts'
import { readVisibility } from '../../accounts/model/workspace-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { changeVisibility, type VisibilityDeps } from '../change-visibility.ts'
import { readOrigin } from '../model/store.ts'
import { FromFile } from './from-file.tsx'

const WORDS: Record<Visibility, { name: string; rule: string }> = {
  workspace: { name: 'Everything', rule: 'All questions, sessions and messages.' },
  group: {
    name: 'Their groups',
    rule: 'What their own agents ask, and the agents of people in a group with them.',
  },
  own: { name: 'Their own', rule: 'What their own agents ask.' },
}

/** `/settings/visibility`: what members see of the questions of others. */
export async function showVisibility({ db }: VisibilityDeps, visit: SignedIn): Promise<Response> {
  const current = await readVisibility(db.read, visit.person.workspaceId)
  const origin = await readOrigin(db.read, visit.person.workspaceId)
  const changes = may(visit.person, 'people') && !origin
  return html(
    <Layout
      visit={visit}
      title="What members see"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>What members see</h1>
        <p class="sub">
          Owners see everything. Members always see what they may decide and what they are told by
          name. The rest is not there for them: no list, link or message mentions it.
        </p>
        <p class="rule">
          An agent belongs to the owner of its token. What a token without an owner asks is for
          owners alone.
        </p>
      </div>
      {visit.url.searchParams.has('saved') && (
        <p class="result good" role="status">
          <Icon name="check" />
          <span>Saved. It applies at once, to what was asked before as well.</span>
        </p>
      )}
      {origin && <FromFile origin={origin} visit={visit} />}
      {!(changes || origin) && <OwnersChange what="this" />}
      {changes ? <Choices current={current} /> : <Current visibility={current} />}
    </Layout>,
  )
}

function Choices({ current }: { current: Visibility }) {
  return (
    <form method="post" action={paths.visibility} class="requests">
      <fieldset class="switches">
        <legend>Members see</legend>
        {VISIBILITIES.map((value) => (
          <label>
            <input type="radio" name="visibility" value={value} checked={value === current} />
            <span>
              <b>{WORDS[value].name}</b>: {WORDS[value].rule}
            </span>
          </label>
        ))}
      </fieldset>
      <button type="submit" class="primary">
        Save
      </button>
    </form>
  )
}

function Current({ visibility }: { visibility: Visibility }) {
  const { name, rule } = WORDS[visibility]
  return (
    <p>
      <b>{name}</b>: {rule}
    </p>
  )
}

export async function saveVisibility(deps: VisibilityDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  await changeVisibility(deps, visit.person, formField(form, 'visibility'))
  return seeOther(`${paths.visibility}?saved`)
}

export function visibilityWords(visibility: Visibility): string {
  return WORDS[visibility].name
}
