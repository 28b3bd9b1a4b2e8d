/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { ownerOf } from '../../accounts/model/agent.ts'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { handOver, listCandidates, requireToken } from '../../people/token-owner.ts'

type Deps = { db: Db; clock: Clock }

/** `/settings/tokens/:id/owner`: hands a token over. */
export async function showTokenOwner({ db }: Deps, visit: SignedIn): Promise<Response> {
  const { person } = visit
  const token = await requireToken(db.read, person, visit.params.id ?? '')
  const { people, groups } = await listCandidates(db.read, person.workspaceId)
  const owner = ownerOf(token)
  const hasOwner = [...people, ...groups].some(({ id }) => id === owner)
  return html(
    <Layout
      visit={visit}
      title={`Hand over ${token.name}`}
      section="settings"
      back={{ to: paths.tokens, name: 'Back to the tokens' }}
    >
      <div class="page-head">
        <h1>Hand over {token.name}</h1>
        <p class="sub">
          Where a rule says who may decide, the owner of a token does not decide what it asks. If it
          belongs to a group, nobody is left out.
        </p>
      </div>
      <form method="post" action={href.tokenOwner(token.id)} class="requests">
        <div class="field">
          <label for="owner">Whose is it?</label>
          <select id="owner" name="owner" required>
            {!hasOwner && <option value="">Nobody’s</option>}
            {people.map(({ id, name, email }) => (
              <option value={id} selected={id === owner}>
                {name} ({email})
              </option>
            ))}
            {groups.length > 0 && (
              <optgroup label="Groups, for a service such as CI">
                {groups.map(({ id, name }) => (
                  <option value={id} selected={id === owner}>
                    {name}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
          <p class="soft">
            Agents go on using it, and so does whoever knows it. What they asked so far stays as it
            was asked.
          </p>
        </div>
        <button type="submit" class="primary">
          Hand over
        </button>
      </form>
    </Layout>,
  )
}

export async function submitTokenOwner(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { person, params } = visit
  await handOver(deps, { id: params.id ?? '', person, to: formField(form, 'owner') })
  return seeOther(paths.tokens)
}
