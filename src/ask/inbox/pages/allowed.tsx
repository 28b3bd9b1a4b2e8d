/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { Empty } from '../../../platform/web/page-parts.tsx'
import { html, seeOther } from '../../../platform/web/respond.ts'
import { findPerson } from '../../accounts/model/person-store.ts'
import { readGrants, revokeGrant } from '../../grants/grants.ts'
import { GRANT_WORDS, type Grant } from '../../grants/model/grant.ts'
import { AgentName } from '../../pages/agent-name.tsx'
import { Layout } from '../../pages/layout.tsx'
import { MarkedCommand } from '../../pages/marked.tsx'
import { href, paths } from '../../pages/paths.ts'
import { Ago, AtClock } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'

type Deps = { db: Db; clock: Clock }

/** `/settings/allowed`: what people allowed for a while, each with a way to take it back. */
export async function showAllowed(deps: Deps, visit: SignedIn): Promise<Response> {
  const grants = await readGrants(deps, visit.person)
  const names = await namesOf(deps, grants)
  return html(
    <Layout
      visit={visit}
      title="Allowed for now"
      section="settings"
      back={{ to: paths.settings, name: 'Back to the settings' }}
    >
      <div class="page-head">
        <h1>Allowed for now</h1>
        <p class="sub">
          Calls that somebody said yes to for a while. Exactly these, or all that begin so where it
          says “…”, pass without asking; <a href={paths.rules}>rules</a> allow for good.
        </p>
      </div>
      {grants.length > 0 ? (
        <ul class="things">
          {grants.map((grant) => (
            <GrantCard grant={grant} who={names.get(grant.personId)} moment={visit.moment} />
          ))}
        </ul>
      ) : (
        <Empty icon="clock" title="Nothing is allowed for longer">
          The approval of a command can be given for 15 minutes or for its session. What holds then
          stands here.
        </Empty>
      )}
    </Layout>,
  )
}

export async function submitRevoke(deps: Deps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const { workspaceId, id } = visit.person
  await revokeGrant(deps, workspaceId, visit.params.id ?? '', id)
  const session = formField(form, 'session')
  const isOfSession = /^ses_\w+$/.test(session)
  return seeOther(isOfSession ? `${href.live(session as AgentSessionId)}#allowed` : paths.allowed)
}

async function namesOf({ db }: Deps, grants: Grant[]): Promise<Map<string, string>> {
  const ids = [...new Set(grants.map(({ personId }) => personId))]
  const people = await Promise.all(ids.map((id) => findPerson(db.read, id)))
  return new Map(people.flatMap((person) => (person ? [[person.id, person.name]] : [])))
}

type CardProps = { grant: Grant; who: string | undefined; moment: Moment }

function GrantCard({ grant, who, moment }: CardProps) {
  const { id, action, cwd, toolName, length, expiresAt, createdAt, uses, usedAt } = grant
  return (
    <li class="thing" id={id} data-move>
      <div>
        <p>
          <AgentName name={grant.agentName} />
        </p>
        <p>
          <code>
            <MarkedCommand text={action} />
          </code>
        </p>
        <p class="soft">
          {toolName} in <code>{cwd}</code>
        </p>
        <p class="soft">
          {who ?? 'Somebody'} said yes {GRANT_WORDS[length]} <Ago at={createdAt} moment={moment} />.
          It holds until {length !== '15_minutes' && 'the session ends, at most until '}
          <AtClock at={expiresAt} moment={moment} />.{' '}
          {uses === 0 ? 'Not used yet' : `Used ${uses === 1 ? 'once' : `${uses} times`}, last `}
          {usedAt !== undefined && <Ago at={usedAt} moment={moment} />}.{' '}
          <a href={href.decide(grant.questionId)}>The question</a>
        </p>
      </div>
      <div class="thing-do">
        <form method="post" action={href.revokeGrant(id)}>
          <button type="submit" class="small bad">
            Take it back
          </button>
        </form>
      </div>
    </li>
  )
}
