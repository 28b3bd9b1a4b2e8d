import type { Service, SessionPlace } from '../session/context.ts'
import type { CallLimits } from '../session/server.ts'
import { keepHanded, recordPath } from '../state/turn-record.ts'
import { collect } from './turn-calls.ts'

/**
 * The sentence for the model about what a person told this session to do while nothing could reach
 * it; undefined if there is nothing. Never throws.
 */
export async function collectForStart(
  service: Service,
  place: SessionPlace,
  limits: CallLimits,
): Promise<string | undefined> {
  const reply = await collect(service, [place.sessionId], 0, limits)
  if (reply.is !== 'one') return undefined
  const { id, text, at } = reply.instruction
  try {
    keepHanded(recordPath(place), { id, text, atStart: true })
  } catch {
    // It stays "handed over" for the person.
  }
  return `While this session was away (${at}) it was told what to do next. It approves nothing else. ${text}`
}
