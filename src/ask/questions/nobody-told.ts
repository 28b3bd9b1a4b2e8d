import type { Reach } from '../delivery/receipts.ts'
import { elsewhere, noDeviceHas, type Unmatched } from '../devices/unmatched.ts'

/** Why nobody could be told, as far as there is more to say than that nothing is connected. */
export type NobodyBecause = {
  /** People's own switches kept it from all or some of the devices. */
  switchedOff: 'all' | 'some' | undefined
  /** The target that no device matches. */
  unmatched: Unmatched | undefined
}

/** The `warning` of a result that reached nobody: why, and what would change it. */
export function nobodyWarning({ switchedOff, unmatched }: NobodyBecause): string {
  if (unmatched) return noDeviceHas(unmatched.targeting)
  if (switchedOff === 'all') return SWITCHED_OFF
  return switchedOff ? `${CONNECT_ONE} ${SOME_SWITCHED_OFF}` : CONNECT_ONE
}

/** For the hint, where a target was to blame: how the next message gets through. */
export function howToBeHeard({ unmatched }: NobodyBecause): string | undefined {
  return unmatched && elsewhere(unmatched)
}

/** The `warning` of a result that reached a chat alone; undefined when a device was reached, or still may be. */
export function chatAloneWarning(reach: Reach): string | undefined {
  const { web, mobile, chat, pending, addressedWeb, addressedMobile, switchedOff } = reach
  if (chat === 0 || pending || web + mobile > 0) return undefined
  const why =
    addressedWeb + addressedMobile > 0 ? 'No phone or browser took it' : 'No phone or browser'
  const off = switchedOff.browser + switchedOff.phone > 0
  return off ? `${why}; Slack was told. ${SOME_SWITCHED_OFF}` : `${why}; Slack was told`
}

const CONNECT_ONE =
  'No phone, browser or chat channel could receive this. The person must connect one: open the server’s page, then Settings, Devices.'
const SWITCHED_OFF =
  'Devices are connected, but the person has switched this kind of message off for them. It is only on the server’s pages. To be told, they must switch it on: Settings, Notifications.'
const SOME_SWITCHED_OFF =
  'On other devices the person has switched this kind of message off: Settings, Notifications.'
