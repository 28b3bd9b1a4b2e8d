/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import { readAhead } from '../../../platform/db/agreed-time.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Check, State } from '../../check.ts'
import { EndedDaysPart } from '../../inbox/pages/ended-days.tsx'
import { readEndedDays } from '../../inbox/read-ended-days.ts'
import { CHECK_LOOKS, type CheckLook, CheckRow } from '../../pages/check-row.tsx'
import { Layout } from '../../pages/layout.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { clockTime, exactTime } from '../../pages/times.ts'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { Health } from '../health.ts'
import { confirmClock } from '../time-check.ts'

type Deps = { db: Db; clock: Clock; health(workspaceId: WorkspaceId): Promise<Health> }

type Group = 'broken' | 'doubtful' | 'absent' | 'works'
type GroupLook = CheckLook & { name: string }

/** In the order of display. What works is folded. */
const LOOKS: Record<Group, GroupLook> = {
  broken: { ...CHECK_LOOKS.fail, name: 'Broken' },
  doubtful: { ...CHECK_LOOKS.warn, name: 'Look at it' },
  absent: { ...CHECK_LOOKS.skip, name: 'Not set up, or not used yet' },
  works: { ...CHECK_LOOKS.ok, name: 'Works' },
}
const GROUPS = Object.keys(LOOKS) as Group[]
const GROUP_OF: Record<State, Group> = {
  fail: 'broken',
  warn: 'doubtful',
  skip: 'absent',
  ok: 'works',
}

/** `/settings/health`: checks each link from an agent to a phone while the page is made. */
async function showHealth(deps: Deps, visit: SignedIn): Promise<Response> {
  const { person, moment } = visit
  const [{ at, checks }, ended, ahead] = await Promise.all([
    deps.health(person.workspaceId),
    readEndedDays(deps, { viewer: person }, moment.zone),
    readAhead(deps.db.read),
  ])
  const of = (group: Group) =>
    checks.filter(({ state, notYet }) => (notYet ? 'absent' : GROUP_OF[state]) === group)
  const [broken, doubtful] = [of('broken').length, of('doubtful').length]
  const { tone, icon } = LOOKS[broken > 0 ? 'broken' : doubtful > 0 ? 'doubtful' : 'works']
  return html(
    <Layout
      visit={visit}
      title="Health"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Health</h1>
        <p class="sub">Each link from an agent to your phone, checked just now.</p>
      </div>
      <p class={`result ${tone}`} role="status">
        <Icon name={icon === 'cross' ? 'warning' : icon} />
        <span>
          {summary(broken, doubtful)} Checked at {clockTime(at, moment.zone)}.
        </span>
      </p>
      {GROUPS.map((group) => (
        <Checks group={group} checks={of(group)} />
      ))}
      <form method="get" action={paths.health} class="more">
        <button type="submit">
          <Icon name="activity" />
          Check again
        </button>
      </form>
      {ahead && <ClockForm at={at} moment={moment} />}
      <EndedDaysPart ended={ended} />
    </Layout>,
  )
}

function links(number: number): string {
  return number === 1 ? 'One link' : `${number} links`
}

function summary(broken: number, doubtful: number): string {
  if (broken === 0 && doubtful === 0) return 'Nothing is broken.'
  const look = `${broken > 0 ? links(doubtful).toLowerCase() : links(doubtful)} need${doubtful === 1 ? 's' : ''} a look`
  if (broken === 0) return `${look}.`
  const summaryText = `${links(broken)} ${broken === 1 ? 'is' : 'are'} broken`
  return doubtful === 0 ? `${summaryText}.` : `${summaryText}, and ${look}.`
}

type GroupProps = { group: Group; checks: readonly Check[] }

function Checks({ group, checks }: GroupProps) {
  if (checks.length === 0) return null
  const { name } = LOOKS[group]
  const rows = (
    <ul class="things health">
      {inRows(checks).map((check) => (
        <Row check={check} group={group} />
      ))}
    </ul>
  )
  if (group !== 'works') {
    return (
      <section class="part">
        <h2>{name}</h2>
        {rows}
      </section>
    )
  }
  return (
    <details class="more-fields">
      <summary>
        <Icon name="chevron" />
        {links(checks.length)} {checks.length === 1 ? 'works' : 'work'}
      </summary>
      {rows}
    </details>
  )
}

/** Single devices share a row: each has its own row on the devices page. */
function inRows(checks: readonly Check[]): Check[] {
  const devices = checks.filter(({ of }) => of === 'device')
  const [first] = devices
  if (!first) return [...checks]
  const names = devices.map(({ name }) => name.replace(/^Device /, '')).join(', ')
  const { cure: _, ...rest } = first
  const message = devices.length === 1 ? `${names}: ${first.said}` : `${devices.length}: ${names}.`
  const row: Check = { ...rest, name: 'Devices', said: message }
  return [...checks.filter(({ of }) => of !== 'device'), row]
}

function Row({ check, group }: { check: Check; group: Group }) {
  return (
    <CheckRow check={check} look={LOOKS[group]}>
      {check.of === 'device' && group !== 'works' && (
        <a class="button small" href={paths.devices}>
          Open the devices
        </a>
      )}
    </CheckRow>
  )
}

/** Confirms a clock that is further ahead than the server can explain. */
function ClockForm({ at, moment }: { at: number; moment: Moment }) {
  return (
    <form method="post" action={paths.clock} class="more">
      <p class="soft">
        Is it {exactTime(at, moment.zone)} where you are? Once you say so, history that is over its
        time is removed, and cannot be brought back.
      </p>
      <button type="submit">
        <Icon name="check" />
        The clock is right
      </button>
    </form>
  )
}

async function postClock(deps: Deps, { person, request }: SignedIn): Promise<Response> {
  // Refuses a body that no form of ours sends.
  await readForm(request)
  await confirmClock(deps, person)
  return seeOther(paths.health)
}

export function healthPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.health, showHealth, 'health'),
    signedInPage('POST', paths.clock, postClock, 'health'),
    redirectTo(paths.clock, () => paths.health) as Page<Deps>,
  ])
}
