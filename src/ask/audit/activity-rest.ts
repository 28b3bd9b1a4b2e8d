import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { LIST_SIZE, pageFields } from '../../platform/paging.ts'
import { ShownNotification, shownNotification } from '../notifications/model/notification-views.ts'
import { ShownQuestion, shownQuestion } from '../questions/model/question-views.ts'
import { personRoute } from '../rest/route.ts'
import { type ActivityItem, readActivity } from './read-activity.ts'

const text = Type.Optional(Type.String())

const ShownItem = Type.Union([
  Type.Object({ kind: Type.Literal('question'), question: ShownQuestion }),
  Type.Object({ kind: Type.Literal('notification'), notification: ShownNotification }),
])

export const getActivity = personRoute(
  {
    method: 'GET',
    path: '/activity',
    summary: 'Questions and notifications, newest first.',
    input: Type.Object(pageFields(LIST_SIZE), { additionalProperties: false }),
    result: Type.Object({ items: Type.Array(ShownItem), next: text }),
    problems: ['malformed'],
  },
  async (deps: { db: Db; clock: Clock }, { person, input }) => {
    const { items, next } = await readActivity(deps, person.workspaceId, input)
    const shown = items.map((item) => shownItem(item, deps.clock.now()))
    return next === undefined ? { items: shown } : { items: shown, next }
  },
)

function shownItem(item: ActivityItem, now: number): Static<typeof ShownItem> {
  return item.kind === 'question'
    ? { kind: 'question', question: shownQuestion(item.question, now) }
    : { kind: 'notification', notification: shownNotification(item.notification) }
}
