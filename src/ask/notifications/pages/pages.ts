import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { open, own, type Page, pagesWith } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showLeaving } from './leaving.tsx'
import { showNotification } from './notification.tsx'

type Deps = { db: Db; clock: Clock; baseUrl: string }

export function notificationPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    own('GET', paths.notification, showNotification),
    open('GET', paths.leaving, showLeaving),
  ])
}
