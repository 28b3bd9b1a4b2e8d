import { leads, open, own, type Page, pagesWith } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { Authentication } from '../../sign-in/authentication.ts'
import type { TestPushDeps } from '../send-test-push.ts'
import type { SubscribeDeps } from '../subscribe.ts'
import { connectDevice, editDevice, formsOf, showDevices, testDevice } from './devices.tsx'
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
    leads(form.path, () => paths.devices),
    ...pagesWith(deps, [
      own('POST', form.path, (of: Deps, visit) => connectDevice(of, visit, form)),
    ]),
  ])
  const pages = pagesWith(deps, [
    own('GET', paths.devices, showDevices),
    own('POST', paths.changeDevice, editDevice),
    own('POST', paths.testDevice, testDevice),
    own('POST', paths.removeDevice, removeDevice),
    own('GET', paths.thisDevice, showThisDevice),
    open('GET', paths.pair, showPair),
    open('POST', paths.pair, submitPairing),
    own('GET', paths.ownSwitches, showOwnSwitches),
    own('POST', paths.ownSwitches, saveOwnSwitches),
  ])
  return [...forms, ...pages]
}
