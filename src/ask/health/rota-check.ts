import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { type Check, passedCheck, warnedOfEach } from '../check.ts'
import { exactTime } from '../pages/times.ts'
import { type RotaState, readRotas } from '../rota/read-on-call.ts'

const NAME_MAX = 60
const SHIFTS = 10
const DAY_MS = 24 * 3_600_000

/**
 * Checks that somebody is on call in each rota now and for a day, and that calendars are read. No row
 * without rotas.
 */
export async function rotaChecks(
  read: Read,
  workspaces: readonly WorkspaceId[],
  now: number,
): Promise<Check[]> {
  const lists = await Promise.all(workspaces.map((id) => readRotas(read, id, now, SHIFTS)))
  const states = lists.flatMap((one) => one.states)
  if (states.length === 0) return []
  const name = 'Rotas'
  const sentences = states.flatMap((state) => findingOf(state, now) ?? [])
  if (sentences.length === 0) {
    return [passedCheck('people', name, 'Somebody is on call in each rota, today and tomorrow.')]
  }
  const cure = 'Look at it under Settings, Rotas. Until then owners are told instead.'
  return [warnedOfEach('people', name, sentences, cure)]
}

/** What is wrong with a rota within a day, in a sentence. */
function findingOf({ rota, feed, shifts }: RotaState, now: number): string | undefined {
  const name = `“${cutText(cleanLine(rota.name), NAME_MAX)}”`
  const hole = shifts.find(
    ({ from, standing }) => from <= now + DAY_MS && standing.kind !== 'person',
  )
  if (hole && hole.standing.kind !== 'person') {
    const when = hole.from <= now ? '' : ` from ${exactTime(hole.from, rota.zone)}`
    const what =
      hole.standing.kind === 'nobody' ? 'nobody is on call' : 'it is not known who is on call'
    return `In ${name} ${what}${when}: ${cleanLine(hole.standing.reason)}.`
  }
  if (feed?.problem === undefined) return undefined
  return `The calendar of ${name} cannot be read: ${cleanLine(feed.problem)}. What was read before counts for a day.`
}
