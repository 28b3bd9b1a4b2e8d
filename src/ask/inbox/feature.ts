import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { AgreedTime } from '../../platform/db/agreed-time.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Limited } from '../accounts/charge-token.ts'
import type { Person } from '../accounts/model/person.ts'
import { answerQuestion, type GivenAnswer } from '../answering/answer-question.ts'
import { noteCutOff } from '../asking/cut-off.ts'
import { keepTallying } from '../asking/tally-questions.ts'
import type { Sender } from '../delivery/model/sender.ts'
import { keepFailingOver } from '../fail-over/fail-over.ts'
import type { Feature } from '../feature.ts'
import { keepEndingGrants } from '../grants/grants.ts'
import type { Policies } from '../policy/model/store.ts'
import { whoEnded } from '../questions/about-question.ts'
import { keepExpiring, type OnEnded } from '../questions/end-question.ts'
import { listEnded } from '../questions/model/ended-store.ts'
import type { Question, QuestionCounts } from '../questions/model/question.ts'
import { keepReminding } from '../reminders/remind.ts'
import type { Callers } from '../rest/route.ts'
import { keepEndingSnoozes } from '../snooze/snooze-question.ts'
import type { OpenPages } from '../subscribers/model/open-page-store.ts'
import { createWaiters } from '../waiting/waiters.ts'
import { countInbox } from './read-questions.ts'

type Deps = Pick<Callers, 'authentication' | 'limits'> & {
  config: Config
  db: Db
  secrets: Secrets
  clock: Clock
  agreedTime: AgreedTime
  metrics: Metrics
  outside: GuardedFetch
  sender: Sender
  onEnded: readonly OnEnded[]
  policies: Policies
  limited: Limited
  openPages: OpenPages
  /** Names this process among those that share the database. */
  holder: string
}

/** Questions of agents: asked, waited for, answered, ended. */
export function questions(allDeps: Deps) {
  const { config, db, clock, metrics, secrets, ...rest } = allDeps
  const waiters = createWaiters(db.changes, clock, {
    collect: () => Bun.gc(true),
    endedAmong: (ids) => listEnded(db.read, ids),
  })
  metrics.figure({
    name: 'beckon_waits',
    kind: 'gauge',
    help: 'Calls that wait for a person now.',
    read: () => waiters.count(),
  })
  const counts = countQuestions(metrics)
  const { baseUrl } = config
  const { quickAnswerSecret } = secrets
  const deps = { ...rest, db, clock, baseUrl, quickAnswerSecret, waiters, counts }
  const forOneServer: NonNullable<Feature['jobs']> = config.database
    ? []
    : [(report) => noteCutOff(deps, report)]
  return {
    waiters,
    counts,
    answer: (answer: GivenAnswer) => answerQuestion(deps, answer),
    /** How many wait for an answer of this person. */
    countOpen: (person: Pick<Person, 'id' | 'workspaceId'>) => countInbox({ db, clock }, person),
    whoEnded: (question: Question) => whoEnded({ db }, question),
    jobs: [
      ...forOneServer,
      (report) => keepExpiring(deps, report),
      (report) => keepEndingGrants(deps, report),
      (report) => keepEndingSnoozes(deps, report),
      (report) => keepFailingOver(deps, report),
      (report) => keepReminding(deps, report),
      (report) => keepTallying({ ...allDeps, db, clock }, report),
    ],
    routes: async () => (await import('./rest.ts')).questionRoutes(deps),
    pages: async () => (await import('./pages/pages.ts')).questionPages(deps),
  } satisfies Feature & Record<string, unknown>
}

function countQuestions(metrics: Metrics): QuestionCounts {
  const opened = metrics.counter({
    name: 'beckon_questions_opened_total',
    help: 'Questions that were stored, by where they came from.',
    labels: ['origin'],
  })
  const ended = metrics.counter({
    name: 'beckon_questions_ended_total',
    help: 'Questions that ended, by outcome: answered, cancelled, expired or stopped.',
    labels: ['outcome'],
  })
  return {
    opened: ({ origin }) => opened(origin),
    ended: (status) => ended(status),
  }
}
