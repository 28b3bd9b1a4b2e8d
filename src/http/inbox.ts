import { Type } from '@sinclair/typebox'
import { readInbox } from '../flows/read-questions.ts'
import { ShownQuestion, shownQuestion } from './question-views.ts'
import { personRoute } from './route.ts'

export const getInbox = personRoute(
  {
    method: 'GET',
    path: '/inbox',
    summary: 'The questions that can be answered now, the nearest deadline first.',
    result: Type.Object({ questions: Type.Array(ShownQuestion) }),
  },
  async (deps, { person }) => {
    const open = await readInbox(deps, person.workspaceId)
    return { questions: open.map((question) => shownQuestion(question, deps.clock.now())) }
  },
)
