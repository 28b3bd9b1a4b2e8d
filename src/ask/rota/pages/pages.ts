import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import type { RotaDeps } from '../change-rotas.ts'
import type { RotaId } from '../model/rota.ts'
import { rotaHref, rotaPaths } from '../paths.ts'
import {
  showRota,
  submitOverride,
  submitRemoveOverride,
  submitRemoveRota,
  submitRota,
} from './rota.tsx'
import { showRotas, submitNewRota } from './rotas.tsx'

export function rotaPages(deps: RotaDeps): Page[] {
  const toRota = (path: string) => redirectTo(path, (id) => rotaHref.rota(id as RotaId))
  return pagesWith(deps, [
    signedInPage('GET', rotaPaths.rotas, showRotas),
    signedInPage('POST', rotaPaths.rotas, submitNewRota, 'policy'),
    signedInPage('GET', rotaPaths.rota, showRota),
    signedInPage('POST', rotaPaths.rota, submitRota, 'policy'),
    toRota(rotaPaths.remove),
    signedInPage('POST', rotaPaths.remove, submitRemoveRota, 'policy'),
    toRota(rotaPaths.overrides),
    signedInPage('POST', rotaPaths.overrides, submitOverride, 'policy'),
    toRota(rotaPaths.removeOverride),
    signedInPage('POST', rotaPaths.removeOverride, submitRemoveOverride, 'policy'),
  ])
}
