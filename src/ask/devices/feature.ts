import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { DirectSender } from '../delivery/model/sender.ts'
import type { Feature } from '../feature.ts'
import type { DeviceChannel } from './model/connect.ts'

type Deps = {
  db: Db
  secrets: Secrets
  clock: Clock
  outside: GuardedFetch
  sender: DirectSender
  channels: readonly DeviceChannel[]
}

/** What can be reached of people, and what each of them wants to hear of. */
export function devices({ db, secrets, clock, outside, sender, channels }: Deps): Feature {
  const { quickAnswerSecret, vapid } = secrets
  const vapidPublicKey = vapid.publicKey
  const deps = { db, clock, outside, sender, channels, quickAnswerSecret, vapidPublicKey }
  return {
    routes: async () => (await import('./rest.ts')).deviceRoutes(deps),
    pages: async () => (await import('./pages/pages.ts')).devicePages(deps),
  }
}
