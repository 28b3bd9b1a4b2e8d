import type { PersonGone } from '../accounts/model/person-gone.ts'
import type { DeviceChannel } from '../subscribers/model/connect.ts'
import { dropOwnSettings, leaveToWorkspace } from '../subscribers/model/gone-store.ts'
import { listOwnSubscribers } from '../subscribers/model/page-store.ts'
import { forgetSubscriber } from '../subscribers/model/store.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'

/**
 * Devices are disconnected, which ends the answer links that they were sent. Those of `channels` that
 * everybody shares stay connected.
 */
export function devicesOfGone(channels: readonly DeviceChannel[]): PersonGone {
  const shared = new Set(channels.filter(({ isShared }) => isShared).map(({ name }) => name))
  const isOwn = ({ transport }: Subscriber) => !shared.has(transport)
  return {
    columns: {
      'subscribers.person_id': 'nothing',
      'connect_codes.person_id': 'nothing',
      'open_pages.person_id': 'nothing',
      'switched_off.person_id': 'nothing',
      'own_quiet_hours.person_id': 'nothing',
    },
    async end(tx, { workspaceId, personId }) {
      for (const device of await listOwnSubscribers(tx, { workspaceId, personId })) {
        if (isOwn(device)) await forgetSubscriber(tx, workspaceId, device.id)
        else await leaveToWorkspace(tx, device.id)
      }
      await dropOwnSettings(tx, { workspaceId, personId })
      tx.emit('subscriber', workspaceId)
      tx.emit('page', personId)
      return undefined
    },
    // Their own devices stay, and are told nothing; one that everybody shares is nobody's from now on.
    async off(tx, { workspaceId, personId }) {
      for (const device of await listOwnSubscribers(tx, { workspaceId, personId })) {
        if (!isOwn(device)) await leaveToWorkspace(tx, device.id)
      }
      tx.emit('subscriber', workspaceId)
      tx.emit('page', personId)
      return undefined
    },
    async list(read, whose) {
      const devices = await listOwnSubscribers(read, whose)
      const own = devices.filter(isOwn)
      return [
        ...(own.length > 0
          ? [`${own.length === 1 ? 'A device' : 'Devices'}: ${listLabels(own)}.`]
          : []),
        ...devices
          .filter((device) => !isOwn(device))
          .map(({ label }) => `${label} stays connected: it is everybody’s.`),
      ]
    },
  }
}

function listLabels(devices: readonly Subscriber[]): string {
  return devices.map(({ label }) => label).join(', ')
}
