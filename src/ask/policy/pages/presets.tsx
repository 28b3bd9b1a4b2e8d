/** @jsxImportSource preact */
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure, wrongFields } from '../../../platform/failure.ts'
import { shape } from '../../../platform/schema.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { setPolicy } from '../change-policy.ts'
import {
  type Policy,
  PolicyChanges,
  PRESET_IDS,
  PRESETS,
  type Preset,
  type PresetId,
  presetFields,
  presetInForce,
} from '../model/policy.ts'
import type { Policies } from '../model/store.ts'
import { PRESET_WORDS } from './policy-words.ts'

/** The presets, one tap each; the one in force is marked. */
export function Presets({ policy, changes }: { policy: Policy; changes: boolean }) {
  const current = presetInForce(policy)
  return (
    <section class="part">
      <h2>{changes ? 'Choose' : 'What an owner can choose'}</h2>
      {changes ? (
        <form method="post" action={paths.preset}>
          <Choices current={current} changes />
        </form>
      ) : (
        <Choices current={current} />
      )}
      {current === undefined && <p class="soft">Now it is as set under “More”.</p>}
    </section>
  )
}

function Choices(props: { current: PresetId | undefined; changes?: true }) {
  return (
    <fieldset class="choices" disabled={!props.changes}>
      {props.changes ? (
        <legend>
          A tap sets the delivery mode and every time. Quiet hours, devices and fail-over stay.
        </legend>
      ) : (
        <legend>These set the delivery mode and every time.</legend>
      )}
      {PRESET_IDS.map((id) => (
        <PresetButton id={id} current={id === props.current} />
      ))}
    </fieldset>
  )
}

function PresetButton({ id, current }: { id: PresetId; current: boolean }) {
  const { name, what } = PRESET_WORDS[id]
  return (
    <button type="submit" name="preset" value={id} class="choice preset" aria-pressed={current}>
      <span class="choice-text">
        <b>{name}</b>
        <small>{what}</small>
      </span>
      {current && <Icon name="check" />}
    </button>
  )
}

type Deps = { db: Db; clock: Clock; policies: Policies }

/** Sets a preset, or with `undo` what was in force before the last one. */
export async function choosePreset(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { workspaceId, id: by } = visit.person
  const { policy } = await deps.policies.of(workspaceId)
  if (form.has('undo')) {
    const before = beforeOf(visit.request)
    if (!before) throw new Failure('gone', 'What was set before is no longer known here.')
    await setPolicy(deps, workspaceId, before, by)
    return seeOther(`${paths.policy}?saved`, beforeCookie('', 0))
  }
  const id = PRESET_IDS.find((candidate) => candidate === formField(form, 'preset'))
  if (!id) throw wrongFields([{ field: 'preset', must: `must be ${PRESET_IDS.join(' or ')}` }])
  await setPolicy(deps, workspaceId, PRESETS[id], by)
  return seeOther(`${paths.policy}?saved`, beforeCookie(effectText(presetFields(policy)), UNDO_S))
}

/** The notice that the policy was saved; after a preset, with a button that restores the policy before it. */
export function SavedPolicy({ visit: { url, request } }: { visit: SignedIn }) {
  if (!url.searchParams.has('saved')) return null
  const before = beforeOf(request)
  return (
    <div class="result good saved" role="status">
      <Icon name="check" />
      <span>Saved. It applies from the next question on.</span>
      {before && (
        <form method="post" action={paths.preset}>
          <button type="submit" name="undo" value="yes" class="small">
            Undo
          </button>
        </form>
      )}
    </div>
  )
}

/** The fields of a preset as one value: `push_first.45000.0.60000.3`. */
function effectText(preset: Preset): string {
  const { deliveryMode, waitMs, graceMs, presenceMs, pauseAfterUnanswered } = preset
  return [deliveryMode, waitMs, graceMs, presenceMs, pauseAfterUnanswered].join('.')
}

const changesShape = shape(PolicyChanges)

// Kept in a cookie of the browser that chose the preset. Anybody could make up an address.
const BEFORE = 'policy-before'
const UNDO_S = 10 * 60

function beforeCookie(value: string, seconds: number): Headers {
  const about = `Path=${paths.policy}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`
  return new Headers({ 'set-cookie': `${BEFORE}=${value}; ${about}` })
}

/**
 * Reads the policy that the last preset replaced; undefined if it is not known, or is nothing that
 * a policy can be.
 */
function beforeOf(request: Request): PolicyChanges | undefined {
  const cookie = request.headers.get('cookie') ?? ''
  const [, text = ''] = new RegExp(`(?:^|; )${BEFORE}=([\\w.]+)`).exec(cookie) ?? []
  const [deliveryMode, ...numbers] = text.split('.')
  const [waitMs, graceMs, presenceMs, pauseAfterUnanswered] = numbers.map(Number)
  const before = { deliveryMode, waitMs, graceMs, presenceMs, pauseAfterUnanswered }
  return changesShape.wrong(before).length === 0 ? (before as PolicyChanges) : undefined
}
