import { Type } from '@sinclair/typebox'
import { pageFields } from '../../platform/http/query.ts'
import { omitUndefined } from '../../platform/omit-undefined.ts'
import { personRoute } from '../rest/route.ts'
import { ShownQuestion, shownQuestion } from './question-views.ts'
import { INBOX_SIZE, readInboxPage } from './read-questions.ts'

export const getInbox = personRoute(
  {
    method: 'GET',
    path: '/inbox',
    summary: 'The questions that can be answered now, the nearest deadline first.',
    input: Type.Object(pageFields(INBOX_SIZE), { additionalProperties: false }),
    result: Type.Object({
      questions: Type.Array(ShownQuestion),
      total: Type.Integer({ description: 'How many can be answered now, on all pages.' }),
      next: Type.Optional(Type.String({ description: 'The cursor of the page after this one.' })),
    }),
    problems: ['malformed'],
  },
  async (deps, { person, input }) => {
    const { items, total, next } = await readInboxPage(deps, person.workspaceId, input)
    const questions = items.map((question) => shownQuestion(question, deps.clock.now()))
    return omitUndefined({ questions, total, next })
  },
)
