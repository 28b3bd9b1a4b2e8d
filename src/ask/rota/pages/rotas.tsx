/** @jsxImportSource preact */

import { Failure } from '../../../platform/failure.ts'
import { type Draft, readForm, type Wrong } from '../../../platform/web/form.tsx'
import { Adding, Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { paths } from '../../pages/paths.ts'
import { readDraft } from '../../pages/read-fields.ts'
import { calendarDay } from '../../pages/times.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { addRota, type RotaDeps } from '../change-rotas.ts'
import { rotaHref, rotaPaths } from '../paths.ts'
import { readCrew, readRotas, SHIFTS_SHOWN } from '../read-on-call.ts'
import { ROTA_FIELDS, RotaForm, readRotaForm, wrongOf } from './rota-form.tsx'
import { Shifts, zoneWords } from './shifts.tsx'

const FINE: Wrong = new Map()

/** `/settings/rotas`: who is on call now and next. */
export function showRotas(deps: RotaDeps, visit: SignedIn): Promise<Response> {
  return rotasPage(deps, visit, undefined, FINE)
}

/** Sets up a rota and opens it. */
export async function submitNewRota(deps: RotaDeps, visit: SignedIn): Promise<Response> {
  const draft = readDraft(await readForm(visit.request), ROTA_FIELDS)
  const crew = await readCrew(deps.db.read, visit.person.workspaceId)
  try {
    const { id } = await addRota(deps, visit.person, readRotaForm(draft, crew))
    return seeOther(rotaHref.rota(id))
  } catch (error) {
    if (!(error instanceof Failure) || !/invalid_input|conflict/.test(error.code)) throw error
    return rotasPage(deps, visit, draft, wrongOf(error), error.status)
  }
}

async function rotasPage(
  { db }: RotaDeps,
  visit: SignedIn,
  draft: Draft | undefined,
  wrong: Wrong,
  status = 200,
): Promise<Response> {
  const { person, moment } = visit
  const { states, crew } = await readRotas(db.read, person.workspaceId, moment.now, SHIFTS_SHOWN)
  const changes = may(person, 'policy')
  const { zone } = moment
  const isCalendar = visit.url.searchParams.get('new') === 'calendar'
  const empty = {
    ...{ kind: isCalendar ? 'calendar' : 'turns', zone },
    ...{ from: calendarDay(moment.now, zone), at: '09:00', every: '7' },
  }
  return html(
    <Layout
      visit={visit}
      title="Rotas"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Rotas</h1>
        <p class="sub">Who is on call, and is told when others do not answer.</p>
      </div>
      {!changes && <OwnersChange what="rotas" />}
      {changes && (
        <Adding name="Add a rota" open={draft !== undefined || isCalendar}>
          <RotaForm
            to={rotaPaths.rotas}
            draft={draft ?? empty}
            wrong={wrong}
            crew={crew}
            zone={zone}
            isNew
          />
        </Adding>
      )}
      {states.length === 0 ? (
        <Empty icon="sessions" title="No rotas yet">
          In a rota, people take turns in being on call.
        </Empty>
      ) : (
        <ul class="things">
          {states.map((state) => (
            <li class="thing" id={state.rota.id}>
              <div>
                <p class="thing-name">
                  <a href={rotaHref.rota(state.rota.id)}>
                    <SafeText text={state.rota.name} />
                  </a>
                </p>
                <Shifts state={state} crew={crew} moment={moment} />
                <p class="soft">{zoneWords(state, zone)}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Layout>,
    status,
  )
}
