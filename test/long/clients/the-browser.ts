import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { EMAIL } from '../../support/agent-house.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { until } from '../../support/until.ts'
import type { ClientWorld } from './world.ts'

const CHROMIUM = '/usr/bin/chromium'

/** The person at the browser that a client opens. */
export type PersonAtBrowser = AsyncDisposable & {
  /** For the environment of clients that look for a browser there. */
  env: Record<string, string>
  /** The address that a client opened since the last time, as soon as there is one. */
  opened(): Promise<string>
  /** Opens the address, signs in, allows; resolves to what the consent page said and where it ended. */
  allow(address: string): Promise<{ consent: string; end: string; text: string }>
}

/** Clients open it as `xdg-open`, `$BROWSER` and whatever else they try; a script then plays Ada. */
export async function personAtBrowser(world: ClientWorld): Promise<PersonAtBrowser> {
  const file = join(world.home, 'opened-addresses')
  const bin = join(world.home, '../bin')
  for (const name of ['xdg-open', 'sensible-browser', 'x-www-browser', 'www-browser']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nfor last; do :; done\necho "$last" >> '${file}'\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  })
  return {
    // Without a display some clients print the address and open nothing.
    env: { BROWSER: join(bin, 'xdg-open'), DISPLAY: ':99' },
    async opened() {
      await until(() => existsSync(file))
      const [address = ''] = readFileSync(file, 'utf8').split('\n')
      rmSync(file)
      return address
    },
    allow: (address) => allow(browser, address),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

async function allow(browser: Browser, address: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  context.setDefaultTimeout(30_000)
  try {
    const page = await context.newPage()
    await page.goto(address)
    await signIn(page)
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    const consent = await textOf(page, '.consent')
    const server = new URL(page.url()).origin
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL((url) => url.origin !== server)
    const end = page.url()
    await page.waitForLoadState()
    return { consent, end, text: (await textOf(page, 'body')).slice(0, 200) }
  } finally {
    await context.close()
  }
}

/** Its words in one line. */
async function textOf(page: Page, selector: string): Promise<string> {
  const text = (await page.locator(selector).textContent()) ?? ''
  return text.replace(/\s+/g, ' ').trim()
}

async function signIn(page: Page): Promise<void> {
  const email = page.locator('input[name="email"]')
  if ((await email.count()) === 0) return
  await email.fill(EMAIL)
  await page.locator('input[name="password"]').fill(PASSWORD)
  await page.locator('form:has(input[name="password"]) button[type="submit"]').first().click()
}
