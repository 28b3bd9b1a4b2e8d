import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { ChannelModule } from '../../delivery/channel-module.ts'
import { leads, open, own, type Page, pagesWith } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { Policies } from '../../policy/model/store.ts'
import { showHome } from './home.tsx'
import { resume, showLive } from './live.tsx'
import { showRepositories } from './repository.tsx'
import { setTheme, showSettings } from './settings.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies; channels: readonly ChannelModule[] }

export function homePages(deps: Deps): Page[] {
  return pagesWith(deps, [
    own('GET', paths.home, showHome),
    own('GET', paths.inbox, showHome),
    leads(paths.together, () => paths.inbox),
    own('GET', paths.live, showLive),
    own('GET', paths.repositories, showRepositories),
    leads(paths.resume, (id) => `/live/${id}`),
    own('POST', paths.resume, resume),
    own('GET', paths.settings, showSettings),
    open('POST', paths.theme, setTheme),
  ])
}
