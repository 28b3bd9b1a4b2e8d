import {
  type Page,
  pagesWith,
  publicPage,
  rawPage,
  redirectTo,
  signedInPage,
} from '../../pages/page.ts'
import { watchPaths } from '../paths.ts'
import { type StopDeps, showStop, submitStop } from './stop.tsx'
import { type PageDeps, showWatches, submitRemove, submitResume, submitWatch } from './watches.tsx'

export function watchPages(deps: PageDeps & StopDeps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', watchPaths.watches, showWatches),
    signedInPage('POST', watchPaths.watches, submitWatch),
    redirectTo(watchPaths.resume, () => watchPaths.watches),
    signedInPage('POST', watchPaths.resume, submitResume),
    redirectTo(watchPaths.remove, () => watchPaths.watches),
    signedInPage('POST', watchPaths.remove, submitRemove),
    publicPage('GET', watchPaths.stop, showStop),
    // Mail programs send it from their own servers (RFC 8058); the address is the proof.
    rawPage('POST', watchPaths.stop, submitStop),
  ])
}
