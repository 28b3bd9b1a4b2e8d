/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Draft, readForm, type Wrong, WrongFields } from '../../../platform/web/form.tsx'
import { draftOf, readFields, titlesOf } from '../../../platform/web/form-schema.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { SchemaField, SchemaFields } from '../../../platform/web/schema-field.tsx'
import { Layout } from '../../pages/layout.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { HOURS_FIELDS } from '../../policy/pages/policy-fields.tsx'
import { wrongHours } from '../../policy/pages/policy-form.ts'
import { listOwnSubscribers } from '../../subscribers/model/page-store.ts'
import {
  MESSAGE_SORTS,
  type MessageSort,
  SUBSCRIBER_KINDS,
  type SubscriberKind,
} from '../../subscribers/model/subscriber.ts'
import type { SwitchChanges, Switches } from '../../subscribers/model/switch-store.ts'
import { changeQuietHours, changeSwitches, readQuietHours, readSwitches } from '../own-switches.ts'

type Deps = { db: Db; clock: Clock }

const SORT_WORDS: Record<MessageSort, { name: string; what: string }> = {
  question: { name: 'Questions', what: 'An agent asks, and waits for you.' },
  task_complete: { name: 'Finished', what: 'An agent is done with its task.' },
  info: { name: 'News', what: 'Progress, and messages without a type.' },
  error: { name: 'Errors', what: 'Something went wrong.' },
  outcome: {
    name: 'Outcomes',
    what: 'The outcome replaces the question, without a sound. If this is off, the question stays until you clear it.',
  },
}

const KIND_WORDS: Record<SubscriberKind, string> = {
  browser: 'Browsers',
  phone: 'Phones',
  chat: 'Chats and e-mail',
}

/** `/settings/notifications`: what is delivered to the devices of the signed-in person. */
export async function showOwnSwitches(deps: Deps, visit: SignedIn): Promise<Response> {
  const hours = await readQuietHours(deps, visit.person)
  const times = hours ?? { from: '22:00', to: '07:00', zone: visit.moment.zone }
  const draft = { ...draftOf(HOURS_FIELDS, times), quiet: hours ? 'yes' : '' }
  return switchesPage(deps, visit, draft, new Map())
}

async function switchesPage(
  deps: Deps,
  visit: SignedIn,
  draft: Draft,
  wrong: Wrong,
): Promise<Response> {
  const { person, url } = visit
  const switches = await readSwitches(deps, person)
  const { id: personId, workspaceId } = person
  const own = await listOwnSubscribers(deps.db.read, { workspaceId, personId })
  const kinds = kindsFor(own.map(({ kind }) => kind))
  return html(
    <Layout
      visit={visit}
      title="Notifications"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Notifications</h1>
        <p class="sub">
          What reaches your own devices. What you switch off still appears on these pages, and
          agents are told that it was not delivered.
        </p>
      </div>
      {url.searchParams.has('saved') && (
        <p class="result good" role="status">
          <Icon name="check" />
          <span>Saved. It applies from the next message on.</span>
        </p>
      )}
      <WrongFields wrong={wrong} labels={titlesOf(HOURS_FIELDS)} />
      <Consequence switches={switches} own={own.map(({ kind }) => kind)} />
      <form method="post" action={paths.ownSwitches} class="own-switches">
        {MESSAGE_SORTS.map((sort) => (
          <Sort sort={sort} kinds={kinds} on={switches[sort]} />
        ))}
        <p class="rule">
          A notification that carries a question arrives when either of the two is on. A test that
          you send yourself always arrives.
        </p>
        <OwnQuietHours draft={draft} wrong={wrong} zone={visit.moment.zone} />
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Layout>,
    wrong.size > 0 ? 422 : 200,
  )
}

type HoursProps = { draft: Draft; wrong: Wrong; zone: string }

/** When this person is not told of what several may decide. */
function OwnQuietHours({ draft, wrong, zone }: HoursProps) {
  const typed = { draft, wrong }
  const { from, to, zone: zoneField } = HOURS_FIELDS
  return (
    <section id="quiet">
      <h2>Your quiet hours</h2>
      <p class="soft">
        Where a rule says who decides, you are told when your quiet hours end, and others are asked
        meanwhile. What is urgent comes all the same. Other questions come as the policy says.
      </p>
      <input type="hidden" name="hours" value="yes" />
      <label class="check">
        <input type="checkbox" name="quiet" value="yes" checked={draft.quiet === 'yes'} />
        Tell me later
      </label>
      <div class="two">
        <SchemaFields of={[from, to]} {...typed} />
        <SchemaField field={zoneField} offers={[...new Set([zone, 'UTC'])]} {...typed} />
      </div>
    </section>
  )
}

/** Saves the form: an unticked box is off; kinds that the form did not show stay. */
export async function saveOwnSwitches(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const kinds = SUBSCRIBER_KINDS.filter((kind) => form.getAll('kind').includes(kind))
  const of = (sort: MessageSort) =>
    Object.fromEntries(kinds.map((kind) => [kind, form.has(`${sort}.${kind}`)]))
  const changes: SwitchChanges = Object.fromEntries(MESSAGE_SORTS.map((sort) => [sort, of(sort)]))
  const hours = readHours(form)
  if (hours && hours.wrong.size > 0) return switchesPage(deps, visit, hours.draft, hours.wrong)
  await changeSwitches(deps, visit.person, changes)
  if (hours) await changeQuietHours(deps, visit.person, hours.value)
  return seeOther(`${paths.ownSwitches}?saved`)
}

/** The quiet hours of the form; undefined for a form without them. */
function readHours(form: URLSearchParams) {
  if (!form.has('hours')) return undefined
  const isOn = form.get('quiet') === 'yes'
  const fields = readFields(HOURS_FIELDS, form, {})
  const draft: Draft = { ...fields.draft, quiet: isOn ? 'yes' : '' }
  if (!isOn) return { draft, value: null, wrong: new Map<string, string>() }
  const wrong = new Map([...fields.wrong, ...wrongHours(fields.value)])
  return { draft, value: fields.value, wrong }
}

/** Browsers and phones always; chats for people who have one. */
function kindsFor(own: readonly SubscriberKind[]): SubscriberKind[] {
  return own.includes('chat') ? ['browser', 'phone', 'chat'] : ['browser', 'phone']
}

type SortProps = {
  sort: MessageSort
  kinds: readonly SubscriberKind[]
  on: Switches[MessageSort]
}

function Sort({ sort, kinds, on }: SortProps) {
  const { name, what } = SORT_WORDS[sort]
  return (
    <fieldset aria-describedby={`${sort}-what`}>
      <legend>{name}</legend>
      <p class="soft" id={`${sort}-what`}>
        {what}
      </p>
      <div>
        {kinds.map((kind) => (
          <label class="check">
            <input type="checkbox" name={`${sort}.${kind}`} value="on" checked={on[kind]} />
            {KIND_WORDS[kind]}
          </label>
        ))}
      </div>
      {sort === 'question' && kinds.map((kind) => <input type="hidden" name="kind" value={kind} />)}
    </fieldset>
  )
}

/** Explains the effect of the switches on the devices that are connected. */
function Consequence({ switches, own }: { switches: Switches; own: SubscriberKind[] }) {
  if (own.length === 0) {
    return (
      <p class="notice">
        <Icon name="phone" />
        <span>
          None of your devices is connected yet. <a href={paths.devices}>Connect one</a>
        </span>
      </p>
    )
  }
  if (own.some((kind) => switches.question[kind])) return null
  return (
    <p class="result wait" role="status">
      <Icon name="warning" />
      <span>
        Questions reach none of your connected devices. They wait in the{' '}
        <a href={paths.inbox}>inbox</a>; the agent is told, and asks in the terminal.
      </span>
    </p>
  )
}
