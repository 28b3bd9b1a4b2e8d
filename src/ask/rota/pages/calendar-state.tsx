/** @jsxImportSource preact */

import { SafeText } from '../../pages/marked.tsx'
import { Ago } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { RotaFeed } from '../model/rota.ts'

type Props = {
  feed: RotaFeed
  moment: Moment
  /** The reason why it is not known who is on call has it already. */
  hidesProblem: boolean
}

/** When a calendar was read, and why not since. Of its address only the host is shown. */
export function CalendarState({ feed, moment, hidesProblem }: Props) {
  const { url, readAt, triedAt, problem } = feed
  return (
    <p class="soft">
      A calendar at {URL.parse(url)?.host}
      {readAt !== undefined && (
        <>
          {' · read '}
          <Ago at={readAt} moment={moment} />
        </>
      )}
      {triedAt === undefined && ' · not read yet'}
      {problem !== undefined && !hidesProblem && (
        <>
          {' · '}
          <SafeText text={problem} />
        </>
      )}
    </p>
  )
}
