/** @jsxImportSource preact */

import { Failure, wrongFields } from '../../../platform/failure.ts'
import {
  type Draft,
  FormField,
  formField,
  readForm,
  type Wrong,
  WrongFields,
} from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { Adding, Code, CopyButton, Pager, pagesOf } from '../../../platform/web/page-parts.tsx'
import { Qr } from '../../../platform/web/qr.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { listInvitations } from '../../accounts/model/invitation-store.ts'
import { may, type Person, ROLES, type Role } from '../../accounts/model/person.ts'
import { listPeople, whoCanSignIn } from '../../accounts/model/person-store.ts'
import { Layout } from '../../pages/layout.tsx'
import { OwnersChange } from '../../pages/owners-change.tsx'
import { href, paths } from '../../pages/paths.ts'
import { readDraft } from '../../pages/read-fields.ts'
import { shortName } from '../../pages/short-name.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { setUpUrl } from '../../sign-in/set-up.ts'
import { inviteAgain, invitePerson, type NewInvitation } from '../invite-person.ts'
import { changeRole } from '../people.ts'
import type { RemoveDeps } from '../remove-person.ts'
import { FEW, hasWords, ROWS, SearchPeople } from './search-people.tsx'
import { personAt, SwitchPerson } from './switch-person.tsx'

type Deps = RemoveDeps & { baseUrl: string }

const FINE: Wrong = new Map()

/** `/settings/people`: who can sign in here, who is an owner, and who is invited. */
export function showPeople(deps: Deps, visit: SignedIn): Promise<Response> {
  return peoplePage(deps, visit, {})
}

/** Invites somebody and shows the link this once. */
export async function submitInvitation(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const draft = readDraft(form, ['email', 'name', 'role'])
  const { email = '', name = '' } = draft
  const role = ROLES.find((one) => one === draft.role) ?? 'member'
  try {
    const invitation = await invitePerson(deps, visit.person, { email, name, role })
    return await peoplePage(deps, visit, { made: invitation })
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const fieldErrors = error.fields ?? []
    const fields = fieldErrors.length > 0 ? fieldErrors : [{ field: 'email', must: '' }]
    const wrong = new Map(
      fields.map(({ field, must }) => [field, must === '' ? error.message : `It ${must}.`]),
    )
    return peoplePage(deps, visit, { draft, wrong, status: error.status })
  }
}

/** A new link for somebody who has not used theirs. */
export async function submitInviteAgain(deps: Deps, visit: SignedIn): Promise<Response> {
  await readForm(visit.request)
  const invitation = await inviteAgain(deps, visit.person, visit.params.id ?? '')
  return peoplePage(deps, visit, { made: invitation })
}

type PeopleView = { made?: NewInvitation; draft?: Draft; wrong?: Wrong; status?: number }

async function peoplePage(deps: Deps, visit: SignedIn, view: PeopleView): Promise<Response> {
  const { made: invitation, draft = {}, wrong = FINE, status = 200 } = view
  const { now } = visit.moment
  const people = await listPeople(deps.db.read, visit.person.workspaceId)
  const words = visit.url.searchParams.get('q')?.trim() ?? ''
  const matching = people.filter((person) => hasWords(person, words))
  const chosen = visit.url.searchParams.get('person')
  const position = matching.findIndex(({ id }) => id === chosen)
  const at = pagesOf(matching.length, ROWS, visit.url, position < 0 ? undefined : position)
  const visible = matching.slice(at.offset, at.offset + ROWS)
  const ids = visible.map(({ id }) => id)
  const ways = await whoCanSignIn(deps.db.read)
  const invited = await listInvitations(deps.db.read, ids, now)
  const owners = people.filter(({ role }) => role === 'owner').length
  const changes = may(visit.person, 'people')
  return html(
    <Layout
      visit={visit}
      title="People"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>People</h1>
        <p class="sub">
          Members answer questions. Owners also change the policy, the rules and what is connected.
          Auditors read.
        </p>
      </div>
      {!changes && <OwnersChange what="who is invited, and who is an owner" />}
      {invitation && <JustInvited made={invitation} baseUrl={deps.baseUrl} />}
      <WrongFields wrong={wrong} labels={INVITE_LABELS} />
      {changes && <Invite draft={draft} wrong={wrong} />}
      {people.length > FEW && <SearchPeople words={words} />}
      {matching.length === 0 && <p>Nobody here has these words in their name or address.</p>}
      <ul class="things">
        {visible.map((person) => (
          <PersonCard
            person={person}
            self={person.id === visit.person.id}
            changes={changes}
            isLastOwner={person.role === 'owner' && owners === 1}
            isOff={person.offAt !== null}
            pending={ways.has(person.id) ? undefined : { until: invited.get(person.id), now }}
          />
        ))}
      </ul>
      <Pager
        at={at}
        path={words === '' ? paths.people : `${paths.people}?${new URLSearchParams({ q: words })}`}
      />
    </Layout>,
    status,
  )
}

const INVITE_LABELS = { email: 'E-mail', name: 'Name', role: 'Role' }

function Invite({ draft, wrong }: { draft: Draft; wrong: Wrong }) {
  return (
    <Adding name="Invite somebody" open={wrong.size > 0}>
      <form method="post" action={paths.people} class="requests">
        <FormField name="email" label="E-mail" maxLength={254} draft={draft} wrong={wrong}>
          What they sign in with. Nothing is sent to it: you pass the link on.
        </FormField>
        <FormField name="name" label="Name" maxLength={100} draft={draft} wrong={wrong}>
          They may change it when they open the link.
        </FormField>
        <fieldset class="switches">
          <legend>Role</legend>
          <label>
            <input
              type="radio"
              name="role"
              value="member"
              checked={!draft.role || draft.role === 'member'}
            />
            Member: answers questions and sees everything
          </label>
          <label>
            <input type="radio" name="role" value="owner" checked={draft.role === 'owner'} />
            Owner: also changes the policy, the rules and people
          </label>
          <label>
            <input type="radio" name="role" value="auditor" checked={draft.role === 'auditor'} />
            Auditor: reads everything, and answers and changes nothing
          </label>
        </fieldset>
        <button type="submit" class="primary">
          Make the link
        </button>
      </form>
    </Adding>
  )
}

/** The link of an invitation; nothing but its hash is stored. */
function JustInvited({
  made: { person, code },
  baseUrl,
}: {
  made: NewInvitation
  baseUrl: string
}) {
  const link = setUpUrl(baseUrl, code)
  return (
    <section class="made" aria-labelledby="made-title">
      <h2 id="made-title">
        <Icon name="check" />
        {person.name} is invited
      </h2>
      <p>
        Whoever opens the link and signs up first becomes {ROLE_NAMES[person.role]} here. It works
        once, within 24 hours, and is not shown again: pass it on now.
      </p>
      <div class="scan">
        <Qr text={link} label="QR code of the invitation" />
        <div class="secret" data-copy-from>
          <Code name="The link">{link}</Code>
          <CopyButton />
        </div>
      </div>
    </section>
  )
}

/** Makes somebody an owner, a member or an auditor. */
export async function saveRole(deps: Deps, visit: SignedIn): Promise<Response> {
  const text = formField(await readForm(visit.request), 'role')
  const role = ROLES.find((one) => one === text)
  if (!role) throw wrongFields([{ field: 'role', must: `must be one of ${ROLES.join(', ')}` }])
  const personId = visit.params.id ?? ''
  await changeRole(deps, visit.person, { personId, role })
  // Owners who gave up the role themselves see the page as a member does.
  return seeOther(personAt(personId))
}

/** For people who have not signed in yet: until when their link works, if they have one. */
type Pending = { until: number | undefined; now: number }

function PersonCard(props: {
  person: Person
  self: boolean
  changes: boolean
  isLastOwner: boolean
  isOff: boolean
  pending: Pending | undefined
}) {
  const { person, self, changes, isLastOwner, isOff, pending } = props
  const { id, email, role } = person
  const name = shortName(person.name)
  return (
    <li class="thing" id={`person-${id}`} data-move>
      <div>
        <p class="thing-name">
          <b>{name}</b> {self && '(you)'}
        </p>
        <p class="soft">
          {email} · {role}
          {changes && isLastOwner && ', the only one'}
          {pending && !isOff && ` · ${pendingWords(pending)}`}
          {isOff && ' · switched off'}
        </p>
      </div>
      {changes && !isLastOwner && (
        <div class="thing-do">
          {pending ? <Again id={id} /> : <OtherRoles person={person} self={self} />}
          {!self && (isOff || !pending) && <SwitchPerson id={id} isOff={isOff} />}
          <a href={href.removePerson(id)}>{pending ? 'Revoke' : 'Remove'}</a>
        </div>
      )}
    </li>
  )
}

const HOUR_MS = 3_600_000

function pendingWords({ until, now }: Pending): string {
  if (until === undefined) return 'has not signed in yet, no link is open'
  const hours = Math.max(1, Math.round((until - now) / HOUR_MS))
  return `invited, the link works for ${hours === 1 ? 'one more hour' : `${hours} more hours`}`
}

function Again({ id }: { id: Person['id'] }) {
  return (
    <form method="post" action={href.inviteAgain(id)}>
      <button type="submit" class="small">
        New link
      </button>
    </form>
  )
}

const ROLE_NAMES: Record<Role, string> = {
  owner: 'an owner',
  member: 'a member',
  auditor: 'an auditor',
}

function OtherRoles({ person: { id, name, role }, self }: { person: Person; self: boolean }) {
  const who = self ? 'You' : 'They'
  const words: Record<Role, string> = {
    owner: 'They can do everything that you can, including making you a member.',
    member:
      role === 'owner'
        ? `${who} still answer questions, but can no longer change how this server works.`
        : `${who} answer questions, and their tokens and devices work again.`,
    auditor: `${who} read everything, and answer and change nothing. Nothing rings; tokens are refused, and what ${self ? 'your' : 'their'} agents asked is withdrawn.`,
  }
  return (
    <details class="removing">
      <summary>Role</summary>
      {ROLES.filter((one) => one !== role).map((one) => (
        <form method="post" action={href.personRole(id)}>
          <input type="hidden" name="role" value={one} />
          <p>{words[one]}</p>
          <button type="submit" class="small">
            Make {shortName(name)} {ROLE_NAMES[one]}
          </button>
        </form>
      ))}
    </details>
  )
}
