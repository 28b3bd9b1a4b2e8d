import { type Page, pagesWith, publicPage, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { type HomeDeps, showHome, startStep } from './home.tsx'
import { resume, showLive } from './live.tsx'
import { showRepositories } from './repository.tsx'
import { type SettingsDeps, setTheme, showSettings } from './settings.tsx'

type Deps = HomeDeps & SettingsDeps

export function homePages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.home, (deps: Deps, visit) => showHome(deps, visit)),
    signedInPage('POST', paths.home, startStep),
    signedInPage('GET', paths.inbox, (deps: Deps, visit) => showHome(deps, visit)),
    redirectTo(paths.together, () => paths.inbox),
    signedInPage('GET', paths.live, (deps: Deps, visit) => showLive(deps, visit)),
    signedInPage('GET', paths.repositories, showRepositories),
    redirectTo(paths.resume, (id) => `/live/${id}`),
    signedInPage('POST', paths.resume, resume),
    signedInPage('GET', paths.settings, showSettings),
    publicPage('POST', paths.theme, setTheme),
  ])
}
