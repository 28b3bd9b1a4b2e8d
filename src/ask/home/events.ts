import { personRoute } from '../rest/route.ts'
import { eventStream, eventStreamHead } from './event-stream.ts'

export const getEvents = personRoute(
  {
    method: 'GET',
    path: '/events',
    summary:
      'Server-sent events: question.opened, question.ended, notification.sent, session.changed. When the stream ends, connect again and read the inbox anew.',
    stream: true,
  },
  async (deps, { person, request, connection }) => {
    if (request.method === 'HEAD') return eventStreamHead()
    connection?.timeout(request, 0)
    const isStillIn = async () => {
      const now = await deps.authentication.personFrom(request)
      return now?.id === person.id && now.workspaceId === person.workspaceId
    }
    return eventStream(deps, person, [deps.closing, request.signal], isStillIn)
  },
)
