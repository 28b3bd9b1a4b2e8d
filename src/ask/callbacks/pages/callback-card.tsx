/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { type Look, StateMark } from '../../../platform/web/look.tsx'
import { href } from '../../pages/paths.ts'
import { Ago, AtClock } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import { TestMark } from '../../questions/pages/status.tsx'
import type { Attempt, CallbackState } from '../callback.ts'
import type { LoggedCallback } from '../read-callbacks.ts'

type Props = { callback: LoggedCallback; moment: Moment }

/** One answer that was posted, or is to be: where to, how far it is, and what was tried. */
export function CallbackCard({ callback, moment }: Props) {
  const { id, url, test, state, questionId, createdAt } = callback
  return (
    <li class={test ? 'thing test' : 'thing'} id={`callback-${id}`} data-move>
      <div>
        <p class="thing-name">
          <StateMark look={LOOKS[state]} /> {test && <TestMark />}
        </p>
        <p>{shortUrl(url)}</p>
        <p class="soft">
          <a href={href.decide(questionId)}>Answered</a> <Ago at={createdAt} moment={moment} />
          {state === 'waiting' && <Next callback={callback} moment={moment} />}
        </p>
        {callback.log.length > 0 && <Attempts log={callback.log} moment={moment} />}
      </div>
      <form method="post" action={href.redeliver(id)} class="thing-do">
        <button type="submit" class="small">
          Send again
        </button>
      </form>
    </li>
  )
}

const LOOKS: Record<CallbackState, Look> = {
  waiting: { tone: 'wait', icon: undefined, word: 'On its way' },
  delivered: { tone: 'good', icon: 'check', word: 'Delivered' },
  gone: { tone: 'calm', icon: 'minus', word: 'Not wanted any more' },
  lapsed: { tone: 'bad', icon: 'warning', word: 'Given up after a day' },
}

function Next({ callback, moment }: Props) {
  if (callback.nextAt <= moment.now) return <> · being sent now</>
  return (
    <>
      {' · next attempt at '}
      <AtClock at={callback.nextAt} moment={moment} />
    </>
  )
}

function Attempts({ log, moment }: { log: Attempt[]; moment: Moment }) {
  return (
    <details>
      <summary>
        <Icon name="chevron" />
        {log.length === 1 ? '1 attempt' : `${log.length} attempts`}
      </summary>
      <ol class="device-facts">
        {log.map(({ at, status, error }) => (
          <li>
            <Ago at={at} moment={moment} />: {status === 0 ? 'no answer' : status}
            {error && `, ${error}`}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Without the query, which often carries a key. */
function shortUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  return parsed.origin + parsed.pathname + (parsed.search ? '?…' : '')
}
