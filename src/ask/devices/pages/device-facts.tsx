/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { Ago } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { Subscriber } from '../subscriber.ts'

/** What is known of a device, from what proves least to what proves most, then what went wrong. */
export function DeviceFacts({ device, moment }: { device: Subscriber; moment: Moment }) {
  const { lastSuccessAt, lastErrorAt, lastError, lastShownAt, lastOpenedAt, createdAt } = device
  const failsNow = lastErrorAt !== undefined && lastErrorAt > (lastSuccessAt ?? 0)
  return (
    <ul class="device-facts">
      {lastSuccessAt === undefined ? (
        <li>
          Connected <Ago at={createdAt} moment={moment} />,{' '}
          {lastErrorAt === undefined ? 'nothing sent yet' : 'nothing accepted yet'}
        </li>
      ) : (
        <Last word="accepted" at={lastSuccessAt} moment={moment} />
      )}
      <Last word="shown" at={lastShownAt} moment={moment} />
      <Last word="opened" at={lastOpenedAt} moment={moment} />
      {lastErrorAt !== undefined && (
        <li class={failsNow ? 'bad' : undefined}>
          {failsNow && <Icon name="warning" />}
          {!failsNow && 'Last error: '}
          {lastError ?? 'Refused'}, <Ago at={lastErrorAt} moment={moment} />
        </li>
      )}
    </ul>
  )
}

type LastProps = { word: string; at: number | undefined; moment: Moment }

function Last({ word, at, moment }: LastProps) {
  if (at === undefined) return null
  return (
    <li>
      Last {word} <Ago at={at} moment={moment} />
    </li>
  )
}
