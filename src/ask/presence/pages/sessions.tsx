/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Empty, Pager, pagesOf } from '../../../platform/web/page-parts.tsx'
import { html } from '../../../platform/web/respond.ts'
import { Layout } from '../../pages/layout.tsx'
import { type Page, pagesWith, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Policies } from '../../policy/model/store.ts'
import { isPaused } from '../../sessions/model/session.ts'
import { LONG_WAIT_MS } from '../../turns/model/turn.ts'
import { readSessions, type SeenSession } from '../read-sessions.ts'
import { SessionRow } from './session-row.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

// Blocked sessions come first, gone ones last.
const ROWS = 30

/** `/sessions`: every session, the blocked first. */
async function showSessions(deps: Deps, visit: SignedIn): Promise<Response> {
  const { policy } = await deps.policies.of(visit.person.workspaceId)
  const hasPause = ({ session }: SeenSession) => isPaused(session, policy.pauseAfterUnanswered)
  const all = await readSessions(deps, visit.person)
  const sessions = blockedFirst(all, hasPause, visit.moment.now)
  // The order depends on what each waits for now, which no query can tell.
  const at = pagesOf(sessions.length, ROWS, visit.url)
  const sentence = sentenceOf(sessions, sessions.filter(hasPause).length)
  return html(
    <Layout visit={visit} title="Sessions" section="sessions">
      <div class="page-head">
        <h1>Sessions</h1>
        <p class="sub" id="sessions-count" data-live="whole" data-version={sentence}>
          {sentence}
        </p>
        <p>
          <a href={paths.repositories}>By repository</a>
        </p>
      </div>
      <ul class="rows" id="sessions" data-live="keyed" data-ages>
        {sessions.slice(at.offset, at.offset + ROWS).map((seen) => (
          <SessionRow
            seen={seen}
            paused={hasPause(seen)}
            moment={visit.moment}
            back={paths.sessions}
          />
        ))}
        {sessions.length === 0 && (
          <li data-key="none" data-version="none">
            <Empty icon="sessions" title="No agent has been at work this week">
              An agent that names its session appears here, with what it does and whether it waits
              for you. <a href={paths.tokens}>Connect an agent</a>
            </Empty>
          </li>
        )}
      </ul>
      <Pager at={at} path={paths.sessions} />
      <p class="more">
        <a href={paths.allowed}>What is allowed for now</a>
      </p>
    </Layout>,
  )
}

/**
 * Those that have waited for 20 minutes, those that wait for an answer, then those that wait to be
 * resumed, then the others.
 */
function blockedFirst(
  sessions: readonly SeenSession[],
  isPaused: (seen: SeenSession) => boolean,
  now: number,
): SeenSession[] {
  const rank = (seen: SeenSession) => {
    if (seen.waitsSince !== undefined && now - seen.waitsSince >= LONG_WAIT_MS) return -1
    if (seen.status === 'waiting') return 0
    return isPaused(seen) ? 1 : 2
  }
  return sessions.toSorted((a, b) => rank(a) - rank(b))
}

function sentenceOf(sessions: SeenSession[], paused: number): string {
  const count = (...of: string[]) => sessions.filter(({ status }) => of.includes(status)).length
  const parts = [
    countText(count('waiting'), 'waits for you', 'wait for you'),
    countText(count('finished'), 'finished', 'finished'),
    countText(count('failed'), 'failed', 'failed'),
    countText(paused, 'paused', 'paused'),
    countText(count('errored'), 'stopped at an error', 'stopped at an error'),
    countText(count('active'), 'at work', 'at work'),
    countText(count('idle'), 'idle', 'idle'),
  ].filter((part) => part !== '')
  if (parts.length > 0) return parts.join(', ')
  return sessions.length > 0 ? 'Nobody is at work' : 'What your agents are doing'
}

function countText(number: number, one: string, several: string): string {
  if (number === 0) return ''
  return `${number} ${number === 1 ? one : several}`
}

export function sessionPages(deps: Deps): Page[] {
  return pagesWith(deps, [signedInPage('GET', paths.sessions, showSessions)])
}
