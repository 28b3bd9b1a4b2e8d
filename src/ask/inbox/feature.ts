import type { Config } from '../../platform/config/config.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Limited } from '../accounts/charge-token.ts'
import type { Person } from '../accounts/model/person.ts'
import { answerQuestion, type GivenAnswer } from '../answering/answer-question.ts'
import { keepReleasing } from '../answering/hold-answer.ts'
import type { Sender } from '../delivery/model/sender.ts'
import type { Feature } from '../feature.ts'
import type { Policies } from '../policy/model/store.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'
import type { Question, QuestionCounts } from '../questions/model/question.ts'
import { whoEnded } from '../questions/who-ended.ts'
import type { Callers } from '../rest/route.ts'
import type { OpenPages } from '../subscribers/model/open-page-store.ts'
import type { Waiters } from '../waiting/waiters.ts'
import { countInbox } from './read-questions.ts'

type Deps = Pick<Callers, 'authentication' | 'limits'> &
  EndQuestionDeps & {
    config: Config
    secrets: Secrets
    outside: GuardedFetch
    sender: Sender
    policies: Policies
    limited: Limited
    openPages: OpenPages
    waiters: Waiters
    counts: QuestionCounts
  }

/** Questions as people see and decide them. */
export function inbox({ config, secrets, ...rest }: Deps) {
  const { db, clock } = rest
  const { baseUrl } = config
  const { quickAnswerSecret } = secrets
  const deps = { ...rest, baseUrl, quickAnswerSecret }
  return {
    answer: (answer: GivenAnswer) => answerQuestion(deps, answer),
    /** How many wait for an answer of this person. */
    countOpen: (person: Person) => countInbox({ db, clock }, person),
    whoEnded: (question: Question) => whoEnded({ db }, question),
    jobs: [(report) => keepReleasing(deps, report)],
    routes: async () => (await import('./rest.ts')).questionRoutes(deps),
    settings: async () => (await import('./settings-rows.ts')).answerRows(deps),
    pages: async () => (await import('./pages/pages.ts')).questionPages(deps),
  } satisfies Feature & Record<string, unknown>
}
