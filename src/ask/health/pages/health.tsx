/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import { readAhead } from '../../../platform/db/agreed-time.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readForm } from '../../../platform/web/form.tsx'
import { Icon, type IconName } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Check, State } from '../../check.ts'
import { EndedDaysPart } from '../../inbox/pages/ended-days.tsx'
import { readEndedDays } from '../../inbox/read-ended-days.ts'
import { Layout } from '../../pages/layout.tsx'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { clockTime, exactTime } from '../../pages/times.ts'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { Health } from '../health.ts'
import { confirmClock } from '../time-check.ts'

type Deps = { db: Db; clock: Clock; health(workspaceId: WorkspaceId): Promise<Health> }

type StateLook = { tone: 'bad' | 'wait' | 'calm' | 'good'; icon: IconName; word: string }

/** In the order of display: failures come first. */
const LOOKS: Record<State, StateLook> = {
  fail: { tone: 'bad', icon: 'cross', word: 'Broken' },
  warn: { tone: 'wait', icon: 'warning', word: 'Look at it' },
  ok: { tone: 'good', icon: 'check', word: 'Works' },
  skip: { tone: 'calm', icon: 'minus', word: 'Not seen' },
}
const ORDER = Object.keys(LOOKS) as State[]

/** `/settings/health`: checks each link from an agent to a phone while the page is made. */
async function showHealth(deps: Deps, visit: SignedIn): Promise<Response> {
  const { person, moment } = visit
  const [{ at, checks }, ended, ahead] = await Promise.all([
    deps.health(person.workspaceId),
    readEndedDays(deps, person, moment.zone),
    readAhead(deps.db.read),
  ])
  const count = (of: State) => checks.filter(({ state }) => state === of).length
  const [broken, doubtful] = [count('fail'), count('warn')]
  const { tone, icon } = LOOKS[broken > 0 ? 'fail' : doubtful > 0 ? 'warn' : 'ok']
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
      <ul class="things health">
        {ORDER.flatMap((state) =>
          checks.filter((check) => check.state === state).map((check) => <Row check={check} />),
        )}
      </ul>
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

function summary(broken: number, doubtful: number): string {
  if (broken === 0 && doubtful === 0) return 'Nothing is broken.'
  const links = (number: number) => (number === 1 ? 'One link' : `${number} links`)
  const look = `${broken > 0 ? links(doubtful).toLowerCase() : links(doubtful)} need${doubtful === 1 ? 's' : ''} a look`
  if (broken === 0) return `${look}.`
  const summaryText = `${links(broken)} ${broken === 1 ? 'is' : 'are'} broken`
  return doubtful === 0 ? `${summaryText}.` : `${summaryText}, and ${look}.`
}

function Row({ check: { name, state, said: message, cure } }: { check: Check }) {
  const { tone, icon, word } = LOOKS[state]
  return (
    <li class="thing">
      <span class={tone}>
        <Icon name={icon} />
      </span>
      <div>
        <p class="thing-name">
          <b>{name}</b>
          <span class={`status ${tone}`}>{word}</span>
        </p>
        <p class="soft">{message}</p>
        {cure !== undefined && <p>{cure}</p>}
      </div>
    </li>
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
