/** @jsxImportSource preact */

import { formField, readForm } from '../../../platform/web/form.tsx'
import { Icon } from '../../../platform/web/icon.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { readSignIns } from '../../accounts/model/sign-in-store.ts'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Authentication } from '../../sign-in/authentication.ts'
import type { Subscriber, SubscriberId } from '../../subscribers/model/subscriber.ts'
import { type ForgetDeviceDeps, forgetDevice } from '../devices.ts'

type Deps = ForgetDeviceDeps & { authentication: Pick<Authentication, 'signInFrom'> }

/**
 * How the browser behind a device is signed in: `paired` by a code, `here` in the browser that
 * views the page, `other` in another way, or `none`; `not_known` if it cannot be determined.
 */
export type DeviceSignIn = 'paired' | 'other' | 'here' | 'none' | 'not_known'

/** The sign-in of each device, by the device's id. */
export async function readDeviceSignIns(
  { db, clock, authentication }: Deps,
  devices: readonly Subscriber[],
  { request }: SignedIn,
): Promise<Map<SubscriberId, DeviceSignIn>> {
  const own = await authentication.signInFrom(request)
  const ids = devices.flatMap(({ signInId }) => signInId ?? [])
  const signIns = await readSignIns(db.read, ids, clock.now())
  const of = ({ transport, signInId, personId }: Subscriber): DeviceSignIn => {
    if (signInId === undefined) return transport === 'webpush' ? 'not_known' : 'none'
    const signIn = signIns.get(signInId)
    if (!signIn || signIn.personId !== personId) return 'none'
    if (signIn.id === own?.id) return 'here'
    return signIn.pairedAt ? 'paired' : 'other'
  }
  return new Map(devices.map((device) => [device.id, of(device)]))
}

type Props = { device: Subscriber; signIn: DeviceSignIn; isOwn: boolean }

/** The form behind "Remove". */
export function RemoveDevice({ device, signIn, isOwn }: Props) {
  return (
    <details class="removing">
      <summary aria-label={`Remove ${device.label}`}>Remove</summary>
      <form method="post" action={href.removeDevice(device.id)}>
        <p>It stops ringing. You can connect it again.</p>
        {signIn in OFFERS && (
          <label class="also">
            <input type="checkbox" name="signOut" value="yes" checked={signIn === 'paired'} />
            <span>{OFFERS[signIn as keyof typeof OFFERS]}</span>
          </label>
        )}
        {signIn === 'not_known' && isOwn && (
          <p class="soft">
            It may stay signed in: which of <a href={paths.passkeys}>your sign-ins</a> is its own is
            not known.
          </p>
        )}
        <button type="submit" class="small bad">
          Remove it
        </button>
      </form>
    </details>
  )
}

const SIGN_OUT = 'And sign it out: otherwise whoever holds it still reads and answers here.'
const OFFERS = {
  paired: SIGN_OUT,
  other: SIGN_OUT,
  here: 'And sign out here: it is this browser.',
} as const

/** Removes a device, and signs it out if that was chosen. */
export async function removeDevice(deps: Deps, visit: SignedIn): Promise<Response> {
  const signOut = formField(await readForm(visit.request), 'signOut') === 'yes'
  const id = visit.params.id as SubscriberId
  const isOut = await forgetDevice(deps, visit.person, id, { signOut })
  return seeOther(`${paths.devices}?${isOut ? 'out' : 'removed'}`)
}

/** Confirms the removal of a device. */
export function Removed({ said: query }: { said: URLSearchParams }) {
  if (!query.has('removed') && !query.has('out')) return null
  return (
    <p class="result good" role="status">
      <Icon name="check" />
      <span>
        {query.has('out') ? 'It is removed and signed out. ' : 'It is removed. '}
        {query.has('out') && (
          <>
            What was allowed for a while stays so: <a href={paths.allowed}>look at these calls</a>.
          </>
        )}
      </span>
    </p>
  )
}
