import { durationWords } from '../../platform/duration.ts'
import { cutText } from '../../platform/text.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { splitName } from '../pages/agent-name.tsx'
import { href } from '../pages/paths.ts'
import { hookAgentName } from '../wire/client-titles.ts'
import type { SendNotificationInput } from '../wire/notification-fields.ts'
import type { TurnOutcome, TurnReport } from '../wire/turn-fields.ts'
import type { ToldNow } from './model/telling.ts'
import type { Turn } from './model/turn.ts'

/** Sends a notification that opens its `url` although it has a context. */
export type TellPeople = (input: SendNotificationInput, call: CallContext) => Promise<unknown>

const TITLE_MAX = 100

const HAPPENED: Record<TurnOutcome, string> = {
  finished: 'finished',
  failed: 'failed',
  rate_limited: 'hit a rate limit',
  waits: 'waits for you',
  busy: 'works in the background',
  interrupted: 'was interrupted',
}

// Nobody needs to know the seconds of minutes.
const MINUTE = 60_000

/** The notification of the end of a turn; a tap opens the session. */
export function turnMessage(
  { client, agentName, outcome = 'finished' }: TurnReport & { client: string },
  turn: Turn,
  { baseUrl, presence }: { baseUrl: string } & Pick<ToldNow, 'presence'>,
): SendNotificationInput {
  const name = hookAgentName(client, agentName ?? client)
  const [agent, project] = splitName(name)
  const happened = HAPPENED[outcome]
  const failed = outcome === 'failed' || outcome === 'rate_limited'
  const doubt =
    presence === 'unknown' ? 'Somebody may be at its terminal: that cannot be seen.' : ''
  const body =
    [turn.lastWords, factsOf(turn), doubt].filter(Boolean).join('\n') || `It ${happened}.`
  return {
    title: cutText(`${agent} ${happened}${project ? ` in ${project}` : ''}`, TITLE_MAX),
    body,
    agentName: name,
    machineId: turn.machineId,
    sessionId: turn.sessionId,
    context: {
      type: failed ? 'error' : 'task_complete',
      summary: body,
      nextSteps: 'Tell it what to do next on the page of the session.',
    },
    url: new URL(href.live(turn.id), baseUrl).href,
  }
}

/** `12 min, 3 files changed`; empty if neither is known. */
export function factsOf({ durationMs, filesChanged }: Turn): string {
  const files = filesChanged === 1 ? '1 file changed' : `${filesChanged} files changed`
  return [
    durationMs === undefined ? '' : durationWords(roughly(durationMs)),
    filesChanged === undefined ? '' : files,
  ]
    .filter(Boolean)
    .join(', ')
}

function roughly(ms: number): number {
  const step = ms < MINUTE ? 1_000 : MINUTE
  return Math.max(step, Math.round(ms / step) * step)
}
