import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'

const FIREFOX = '/usr/bin/firefox-esr'

/** Why the tests in Firefox cannot run here; undefined when they can. */
export const noFirefox = existsSync(FIREFOX) ? undefined : `${FIREFOX} is not installed`

/** A real Firefox whose push service is the one at `socketUrl`, and which may show notifications. */
export function openFirefox(socketUrl: string): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: {
      'dom.push.connection.enabled': true,
      'dom.push.serverURL': socketUrl,
      'dom.push.testing.allowInsecureServerURL': true,
      'alerts.useSystemBackend': false,
      'permissions.default.desktop-notification': 1,
    },
  })
}
