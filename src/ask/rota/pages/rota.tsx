/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { Failure } from '../../../platform/failure.ts'
import { type Draft, readForm, type Wrong } from '../../../platform/web/form.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { may } from '../../accounts/model/person.ts'
import { Layout } from '../../pages/layout.tsx'
import { SafeText } from '../../pages/marked.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { readDraft } from '../../pages/read-fields.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { changeRota, type RotaDeps, removeRota, requireRota } from '../change-rotas.ts'
import type { OverrideId, Rota, RotaId } from '../model/rota.ts'
import { addOverride, removeOverride } from '../override-rota.ts'
import { rotaHref, rotaPaths } from '../paths.ts'
import { readCrew, readStates, SHIFTS_SHOWN } from '../read-on-call.ts'
import { CalendarState } from './calendar-state.tsx'
import { draftOfOverride, OVERRIDE_FIELDS, Overrides } from './overrides.tsx'
import { draftOfRota, ROTA_FIELDS, RotaForm, readRotaForm, wrongOf } from './rota-form.tsx'
import { Shifts, zoneWords } from './shifts.tsx'

type View = {
  /** The form as it was typed, if something is wrong with it. */
  draft?: Draft
  override?: Draft
  wrong?: Wrong
  status?: number
}

const FINE: Wrong = new Map()

/** `/settings/rotas/ID`: who is on call, what changes for a time, and the turns. */
export function showRota(deps: RotaDeps, visit: SignedIn): Promise<Response> {
  return rotaPage(deps, visit, {})
}

/** Saves name, zone, and turns or calendar. */
export async function submitRota(deps: RotaDeps, visit: SignedIn): Promise<Response> {
  const draft = readDraft(await readForm(visit.request), ROTA_FIELDS)
  const crew = await readCrew(deps.db.read, visit.person.workspaceId)
  const id = idOf(visit)
  return await saving(deps, visit, { draft }, () =>
    changeRota(deps, visit.person, id, readRotaForm(draft, crew)),
  )
}

export async function submitOverride(deps: RotaDeps, visit: SignedIn): Promise<Response> {
  const override = readDraft(await readForm(visit.request), OVERRIDE_FIELDS)
  return await saving(deps, visit, { override }, () =>
    addOverride(deps, visit.person, idOf(visit), draftOfOverride(override)),
  )
}

export async function submitRemoveOverride(deps: RotaDeps, visit: SignedIn): Promise<Response> {
  const { override = '' } = readDraft(await readForm(visit.request), ['override'])
  await removeOverride(deps, visit.person, idOf(visit), override as OverrideId)
  return seeOther(rotaHref.rota(idOf(visit)))
}

export async function submitRemoveRota(deps: RotaDeps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  await removeRota(deps, visit.person, idOf(visit))
  return seeOther(rotaPaths.rotas)
}

/** Does it and shows the rota; if the input is wrong, shows that beside it. */
async function saving(
  deps: RotaDeps,
  visit: SignedIn,
  view: View,
  work: () => Promise<unknown>,
): Promise<Response> {
  try {
    await work()
    return seeOther(rotaHref.rota(idOf(visit)))
  } catch (error) {
    if (!(error instanceof Failure) || !/invalid_input|conflict/.test(error.code)) throw error
    return rotaPage(deps, visit, { ...view, wrong: wrongOf(error), status: error.status })
  }
}

function idOf({ params }: SignedIn): RotaId {
  return (params.id ?? '') as RotaId
}

async function rotaPage({ db }: RotaDeps, visit: SignedIn, view: View): Promise<Response> {
  const { person, moment } = visit
  const rota = await requireRota(db.read, person.workspaceId, idOf(visit))
  const crew = await readCrew(db.read, person.workspaceId)
  const when = { at: moment.now, now: moment.now, most: SHIFTS_SHOWN }
  const [state] = await readStates(db.read, [rota], crew, when)
  if (!state) throw new Error('a rota has a state')
  const changes = may(person, 'policy')
  const { draft, override, wrong = FINE } = view
  return html(
    <Layout
      visit={visit}
      title={rota.name}
      section="settings"
      back={{ to: rotaPaths.rotas, name: 'Back to the rotas' }}
    >
      <div class="page-head">
        <h1>
          <SafeText text={rota.name} />
        </h1>
        <p class="sub">{zoneWords(state, moment.zone)}</p>
      </div>
      <section class="part">
        <h2>On call</h2>
        <Shifts state={state} crew={crew} moment={moment} />
        {state.feed && (
          <CalendarState
            feed={state.feed}
            moment={moment}
            hidesProblem={state.shifts[0]?.standing.kind === 'unknown'}
          />
        )}
      </section>
      <Overrides
        {...{ state, crew, moment, changes }}
        draft={override ?? {}}
        wrong={override ? wrong : FINE}
      />
      {changes && rota.source === 'hand' ? (
        <Changes rota={rota}>
          <RotaForm
            to={rotaHref.rota(rota.id)}
            draft={draft ?? draftOfRota(rota, crew)}
            wrong={draft ? wrong : FINE}
            crew={crew}
            zone={moment.zone}
          />
        </Changes>
      ) : (
        <WhoChanges rota={rota} />
      )}
    </Layout>,
    view.status,
  )
}

function WhoChanges({ rota }: { rota: Rota }) {
  if (rota.source === 'hand') return <OwnersChange what="rotas" />
  return <p class="soft">This rota comes from the policy file; its turns are changed there.</p>
}

function Changes({ rota, children }: { rota: Rota; children: ComponentChildren }) {
  return (
    <>
      <section class="part">
        <h2>{rota.schedule ? 'Turns' : 'Calendar'}</h2>
        {children}
      </section>
      <details class="removing part">
        <summary>Remove this rota</summary>
        <form method="post" action={rotaHref.remove(rota.id)}>
          <p>Where it is to be told, owners are told instead.</p>
          <button type="submit" class="small bad">
            Remove
          </button>
        </form>
      </details>
    </>
  )
}
