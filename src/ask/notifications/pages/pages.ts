import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Page, pagesWith, publicPage, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showLeaving } from './leaving.tsx'
import { showNotification } from './notification.tsx'

type Deps = { db: Db; clock: Clock; baseUrl: string }

export function notificationPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.notification, showNotification),
    publicPage('GET', paths.leaving, showLeaving),
  ])
}
