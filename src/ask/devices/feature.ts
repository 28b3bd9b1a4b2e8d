import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/db/secrets.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { DirectSender } from '../delivery/model/sender.ts'
import type { Feature } from '../feature.ts'
import type { Authentication } from '../sign-in/authentication.ts'
import type { DeviceChannel } from '../subscribers/model/connect.ts'

type Deps = {
  config: Config
  authentication: Pick<Authentication, 'pair' | 'signInFrom'>
  db: Db
  secrets: Secrets
  clock: Clock
  outside: GuardedFetch
  sender: DirectSender
  channels: readonly DeviceChannel[]
}

/** Devices of people, and what each of them wants to hear of. */
export function devices({ config, secrets, ...rest }: Deps): Feature {
  const { baseUrl } = config
  const { quickAnswerSecret, vapid } = secrets
  const vapidPublicKey = vapid.publicKey
  const deps = { ...rest, baseUrl, quickAnswerSecret, vapidPublicKey }
  return {
    routes: async () => (await import('./rest.ts')).deviceRoutes(deps),
    settings: async () => (await import('./settings-rows.ts')).deviceRows(deps),
    pages: async () => (await import('./pages/pages.ts')).devicePages(deps),
  }
}
