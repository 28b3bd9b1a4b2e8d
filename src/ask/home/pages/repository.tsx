/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { Empty, Pager, pagesOf } from '../../../platform/web/page-parts.tsx'
import { html } from '../../../platform/web/respond.ts'
import { EndedDaysPart } from '../../inbox/pages/ended-days.tsx'
import { readEndedDays } from '../../inbox/read-ended-days.ts'
import { notFound } from '../../pages/error-page.tsx'
import { Layout } from '../../pages/layout.tsx'
import { href, paths } from '../../pages/paths.ts'
import { repositoryName } from '../../pages/repository-name.ts'
import { Ago, AtClock } from '../../pages/time.tsx'
import type { Moment, SignedIn } from '../../pages/visit.ts'
import type { Policies } from '../../policy/model/store.ts'
import { RuleWords } from '../../policy/pages/rule-words.tsx'
import { nameOf, SessionRow } from '../../presence/pages/session-row.tsx'
import type { Question } from '../../questions/model/question.ts'
import { isPaused } from '../../sessions/model/session.ts'
import { ActivityRow } from '../../trail/pages/activity-row.tsx'
import { listRepositories, type Repository, readRepository } from '../read-repository.ts'

type Deps = { db: Db; clock: Clock; policies: Policies }

const ROWS = 30
// The page of a repository is a summary; all sessions are on their own page.
const SESSIONS = 10

/** `/repositories`: all of them; with `?repoKey=` one. */
export async function showRepositories(deps: Deps, visit: SignedIn): Promise<Response> {
  const repoKey = visit.url.searchParams.get('repoKey')
  if (repoKey) return showRepository(deps, visit, repoKey)
  const repositories = await listRepositories(deps, visit.person)
  const at = pagesOf(repositories.length, ROWS, visit.url)
  return html(
    <Layout
      visit={visit}
      title="Repositories"
      section="sessions"
      back={{ to: paths.sessions, name: 'Back to the sessions' }}
    >
      <div class="page-head">
        <h1>Repositories</h1>
        <p class="sub">Where agents were at work in the last week.</p>
      </div>
      {repositories.length === 0 && (
        <Empty icon="folder" title="No repository was named this week">
          Agents with our hook say which repository they work in.{' '}
          <a href={paths.tokens}>Connect an agent</a>
        </Empty>
      )}
      <ul class="rows">
        {repositories.slice(at.offset, at.offset + ROWS).map((one) => (
          <li class="row">
            <span class={one.waiting > 0 ? 'dot wait' : 'dot calm'}>
              <Icon name="folder" />
            </span>
            <a class="row-main" href={href.repository(one.repoKey)}>
              <span class="row-title">{repositoryName(one.repoKey, one.agentName)}</span>
              <span class="row-sub">{many(one.sessions, 'session')}</span>
            </a>
            <span class="row-side">
              <b class={one.waiting > 0 ? 'row-state wait' : 'row-state calm'}>
                {one.waiting > 0 ? `${one.waiting} waiting` : 'Nothing waits'}
              </b>
              <Ago at={one.at} moment={visit.moment} />
            </span>
          </li>
        ))}
      </ul>
      <Pager at={at} path={paths.repositories} />
    </Layout>,
  )
}

async function showRepository(deps: Deps, visit: SignedIn, repoKey: string): Promise<Response> {
  const { person, moment, url } = visit
  const cursor = url.searchParams.get('from') ?? undefined
  const [repository, ended, { policy }] = await Promise.all([
    readRepository(deps, { person, repoKey }, cursor),
    readEndedDays(deps, { viewer: person, repoKey }, moment.zone),
    deps.policies.of(person.workspaceId),
  ])
  const { sessions, questions, rules, open, waiting } = repository
  if (sessions.length + questions.length + rules.length === 0) throw notFound()
  const worker = sessions[0]?.session.agentName ?? questions[0]?.agentName
  const name = repositoryName(repoKey, worker)
  const otherQuestions = questions.filter(({ id }) => !open.some((one) => one.id === id))
  return html(
    <Layout
      visit={visit}
      title={name}
      section="sessions"
      back={{ to: paths.repositories, name: 'Back to the repositories' }}
    >
      <div class="page-head">
        <p class="sub">Repository</p>
        <h1 class="repository-name">{name}</h1>
        {name !== repoKey && (
          <p class="sub">
            Rules call it <code class="repository-name">{repoKey}</code>.
          </p>
        )}
      </div>
      {cursor === undefined && (
        <>
          <Waiting open={open} waiting={waiting} moment={moment} />
          <Sessions sessions={sessions} pauseAfter={policy.pauseAfterUnanswered} visit={visit} />
          <Scopes scopes={repository.scopes} moment={moment} />
          <Rules repository={repository} />
          <EndedDaysPart ended={ended} />
        </>
      )}
      <section class="part" id="questions-asked">
        <h2>Questions</h2>
        <ul class="rows">
          {otherQuestions.map((question) => (
            <ActivityRow item={{ kind: 'question', question }} moment={moment} within="session" />
          ))}
        </ul>
        {otherQuestions.length === 0 && (
          <p class="soft">What is asked about it and has ended appears here.</p>
        )}
        {repository.next && (
          <p class="more">
            <a
              class="button"
              href={`${href.repository(repoKey)}&from=${repository.next}#questions-asked`}
            >
              Earlier
            </a>
          </p>
        )}
      </section>
    </Layout>,
  )
}

function many(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`
}

type WaitingProps = { open: Question[]; waiting: number; moment: Moment }

function Waiting({ open, waiting, moment }: WaitingProps) {
  return (
    <section
      class="part"
      id="waiting"
      data-live="whole"
      data-version={[waiting, ...open.map(({ id }) => id)].join()}
    >
      <h2>{waiting === 0 ? 'Nothing waits for you' : `${many(waiting, 'question')} waiting`}</h2>
      <ul class="rows">
        {open.map((question) => (
          <ActivityRow item={{ kind: 'question', question }} moment={moment} within="session" />
        ))}
      </ul>
      {waiting > open.length && (
        <p class="more">
          The others are in the <a href={paths.inbox}>inbox</a>.
        </p>
      )}
    </section>
  )
}

type SessionsProps = { sessions: Repository['sessions']; pauseAfter: number; visit: SignedIn }

function Sessions({ sessions, pauseAfter, visit }: SessionsProps) {
  const back = `${visit.url.pathname}${visit.url.search}`
  return (
    <section class="part">
      <h2>Sessions of the last week</h2>
      <ul class="rows" id="sessions" data-live="keyed" data-ages>
        {sessions.slice(0, SESSIONS).map((seen) => (
          <SessionRow
            seen={seen}
            paused={isPaused(seen.session, pauseAfter)}
            moment={visit.moment}
            back={back}
          />
        ))}
        {sessions.length === 0 && (
          <li class="soft" data-key="none" data-version="none">
            No agent has worked in it this week.
          </li>
        )}
      </ul>
      {sessions.length > SESSIONS && (
        <p class="more">
          <a href={paths.sessions}>All sessions</a>
        </p>
      )}
    </section>
  )
}

type ScopesProps = { scopes: Repository['scopes']; moment: Moment }

function Scopes({ scopes, moment }: ScopesProps) {
  return (
    <section class="part">
      <h2>Scopes that hold</h2>
      {scopes.length === 0 && (
        <p class="soft">No session in it has agreed to a scope that still holds.</p>
      )}
      <ul class="rows">
        {scopes.map(({ seen: { session }, scope }) => {
          const [agent, place] = nameOf(session)
          return (
            <li class="row">
              <span class="dot good">
                <Icon name="check" />
              </span>
              <a class="row-main" href={`${href.live(session.id)}#agreed`}>
                <span class="row-title">{scope.doneWhen}</span>
                <span class="row-sub">{place ? `${agent} · ${place}` : agent}</span>
              </a>
              <span class="row-side">
                <span>
                  until <AtClock at={scope.expiresAt} moment={moment} />
                </span>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Rules({ repository: { rules, others } }: { repository: Repository }) {
  return (
    <section class="part">
      <h2>Rules for it</h2>
      <ul class="plain">
        {rules.map((rule) => (
          <li>
            <RuleWords rule={rule} />
          </li>
        ))}
      </ul>
      <p class="soft">
        {rules.length === 0 && 'No rule is for this repository alone. '}
        {others > 0 && `${many(others, 'rule')} for every repository may match, too. `}
        <a href={paths.rules}>All rules</a>
      </p>
    </section>
  )
}
