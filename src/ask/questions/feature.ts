import type { Metrics } from '../../platform/metrics.ts'
import type { Feature } from '../feature.ts'
import { type EndQuestionDeps, keepExpiring } from './end-question.ts'
import type { QuestionCounts } from './model/question.ts'

type Deps = Omit<EndQuestionDeps, 'counts'> & { metrics: Metrics }

/** Questions: how they are stored, counted and ended. */
export function questions({ metrics, ...deps }: Deps): Feature & { counts: QuestionCounts } {
  const counts = countQuestions(metrics)
  return { counts, jobs: [(report) => keepExpiring({ ...deps, counts }, report)] }
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
