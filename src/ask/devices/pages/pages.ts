import { type Page, pagesWith, publicPage, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { Authentication } from '../../sign-in/authentication.ts'
import type { TestPushDeps } from '../send-test-push.ts'
import type { SubscribeDeps } from '../subscribe.ts'
import { formsOf, showAddDevice } from './add-device.tsx'
import { connectDevice, editDevice, showDevices, testDevice } from './devices.tsx'
import { saveOwnSwitches, showOwnSwitches } from './own-switches.tsx'
import { showPair, submitPairing } from './pair.tsx'
import { removeDevice } from './remove-device.tsx'
import { showThisDevice } from './this-device.tsx'

type Deps = SubscribeDeps &
  TestPushDeps & {
    authentication: Pick<Authentication, 'pair' | 'signInFrom'>
    baseUrl: string
    vapidPublicKey: string
  }

export function devicePages(deps: Deps): Page[] {
  const forms = formsOf(deps.channels).flatMap((form): Page[] => [
    redirectTo(form.path, () => paths.addDevice),
    ...pagesWith(deps, [
      signedInPage('POST', form.path, (of: Deps, visit) => connectDevice(of, visit, form)),
    ]),
  ])
  const pages = pagesWith(deps, [
    signedInPage('GET', paths.devices, showDevices),
    signedInPage('GET', paths.addDevice, (of: Deps, visit) => showAddDevice(of, visit)),
    signedInPage('POST', paths.changeDevice, editDevice),
    signedInPage('POST', paths.testDevice, testDevice),
    signedInPage('POST', paths.removeDevice, removeDevice),
    signedInPage('GET', paths.thisDevice, showThisDevice),
    publicPage('GET', paths.pair, showPair),
    publicPage('POST', paths.pair, submitPairing),
    signedInPage('GET', paths.ownSwitches, showOwnSwitches),
    signedInPage('POST', paths.ownSwitches, saveOwnSwitches),
  ])
  return [...forms, ...pages]
}
