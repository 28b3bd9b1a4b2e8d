/** @jsxImportSource preact */

import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Icon } from '../../../platform/web/icon.tsx'
import { paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { type Ailing, ailingDevices } from '../ailing-devices.ts'

/** The person's devices that probably will not ring, each with the reason and the fix. */
export async function readAiling(deps: { db: Db; clock: Clock }, { person }: SignedIn) {
  const ailing = await ailingDevices(deps, person)
  return ailing.length === 0 ? null : <AilingDevices ailing={ailing} />
}

function AilingDevices({ ailing }: { ailing: readonly Ailing[] }) {
  return (
    <div id="ailing">
      {ailing.map((device) => (
        <div class="notice">
          <Icon name="warning" />
          <p>
            {sentenceOf(device)}{' '}
            <a href={`${paths.devices}?at=${device.id}#${placeOf(device)}`}>{MEND[device.why]}</a>
          </p>
        </div>
      ))}
    </div>
  )
}

/** The reason why a device probably will not ring. */
export function sentenceOf({ label, why, said: reason }: Ailing): string {
  switch (why) {
    case 'permission':
      return `Nothing rings on “${label}”: its browser no longer lets this site notify.`
    case 'missing':
      return `Nothing rings on “${label}”: its browser has dropped the subscription.`
    case 'different':
      return `Nothing may ring on “${label}”: its browser has another subscription than this server knows.`
    case 'refused':
      return `The last messages to “${label}” were refused${reason ? `: ${reason}` : '.'}`
    case 'unseen':
      return `“${label}” accepted the last messages and showed none. It may be off, or it hides them.`
  }
}

const MEND: Record<Ailing['why'], string> = {
  permission: 'Connect it again on that device',
  missing: 'Connect it again on that device',
  different: 'Connect it again on that device',
  refused: 'Look at it',
  unseen: 'Send a test',
}

/** A problem that a browser reported is fixed in that browser, any other on the device's card. */
function placeOf({ id, why }: Ailing): string {
  return why === 'refused' || why === 'unseen' ? `device-${id}` : 'this-browser'
}
