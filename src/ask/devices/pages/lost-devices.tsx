/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import { Ago } from '../../pages/time.tsx'
import type { Moment } from '../../pages/visit.ts'
import type { LostDevice } from '../lost-devices.ts'

/** The devices that their services gave up on, each with the reason and the cure. */
export function LostDevices({ lost, moment }: { lost: readonly LostDevice[]; moment: Moment }) {
  if (lost.length === 0) return null
  return (
    <div id="lost">
      {lost.map(({ label, reason, at }) => (
        <div class="notice">
          <Icon name="warning" />
          <p>
            “{label}” rings no more: its push service gave up on it <Ago at={at} moment={moment} />.{' '}
            {reason} Open these pages on that device and connect it again.
          </p>
        </div>
      ))}
    </div>
  )
}
