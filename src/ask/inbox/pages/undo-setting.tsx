/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { hasUndo } from '../../accounts/model/undo-store.ts'
import { switchUndo } from '../../answering/hold-answer.ts'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'

type Deps = { db: Db; clock: Clock }

/** `/settings/undo`: whether the answers of the signed-in person are held for a moment. */
export async function showUndoSetting(deps: Deps, visit: SignedIn): Promise<Response> {
  const isOn = await hasUndo(deps.db.read, visit.person)
  return html(
    <Layout
      visit={visit}
      title="Undo"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Undo</h1>
        <p class="sub">
          An answer on these pages is sent after five seconds, so that you can take it back. It is
          sent at once where the agent would not wait so long.
        </p>
      </div>
      {visit.url.searchParams.has('saved') && (
        <p class="result good" role="status">
          <Icon name="check" />
          <span>Saved. It applies from your next answer on.</span>
        </p>
      )}
      <form method="post" action={paths.ownUndo} class="own-switches">
        <label class="check">
          <input type="checkbox" name="undo" value="on" checked={isOn} />
          Five seconds to undo an answer
        </label>
        <p class="rule">
          Buttons of notifications, chats and links always send at once, and so do programs.
        </p>
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Layout>,
  )
}

/** Saves the form: an unticked box is off. */
export async function saveUndoSetting(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  await switchUndo(deps, visit.person, form.has('undo'))
  return seeOther(`${paths.ownUndo}?saved`)
}
