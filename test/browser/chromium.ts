import { afterAll } from 'bun:test'
import { existsSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { type PageWorld, pageWorld } from '../support/page-world.ts'
import { endTabs, takeTab } from './tab-pool.ts'

/** Where Chromium is; the tests of the pages need it. */
const EXECUTABLE = '/usr/bin/chromium'
// Chromium without its own windows takes two fifths of the processor; it has no notifications.
const SHELL = '/usr/bin/chromium-headless-shell'

/** A browser of its own; `whole` for one that shows notifications and installs apps. */
export function startChromium({ whole = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath(whole),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-gpu-compositing',
      '--in-process-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

function executablePath(whole: boolean): string {
  return whole || !existsSync(SHELL) ? EXECUTABLE : SHELL
}

/** By their executables. */
const shared = new Map<string, Promise<Browser>>()

/**
 * A browser for the tests of this file; `whole` as for `startChromium`. Starting one takes seconds,
 * so the files that one process runs have the same; it ends with the process.
 */
export async function openChromium({ whole = false } = {}): Promise<Browser> {
  const browser = await sharedChromium(whole)
  afterAll(() => endTabs(browser))
  return browser
}

/** A server with Mara and a browser for the tests of this file. */
export async function openWorld({
  whole = false,
  ...options
}: Parameters<typeof pageWorld>[0] & { whole?: boolean } = {}) {
  const world = await pageWorld(options)
  const browser = await sharedChromium(whole)
  afterAll(async () => {
    await endTabs(browser)
    await world[Symbol.asyncDispose]()
  })
  return { world, browser }
}

async function sharedChromium(whole: boolean): Promise<Browser> {
  const path = executablePath(whole)
  const before = await shared.get(path)
  if (before?.isConnected()) return before
  const started = startChromium({ whole })
  shared.set(path, started)
  return await started
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
export const DESK = { viewport: { width: 1280, height: 800 } }

export type Tab = AsyncDisposable & {
  page: Page
  context: BrowserContext
  /** What went wrong in the page: errors of scripts, and whatever the policy refused. */
  complaints: string[]
}

/** A tab in which Mara is signed in, unless the world has nobody. */
export async function openTab(
  browser: Browser,
  world: Pick<PageWorld, 'url' | 'cookie'>,
  options: BrowserContextOptions = DESK,
): Promise<Tab> {
  const { tab, giveBack } = await takeTab(browser, { baseURL: world.url, ...options })
  const { page, context, complaints } = tab
  const [name, ...value] = world.cookie.split('=')
  if (name) await context.addCookies([{ name, value: value.join('='), url: world.url }])
  return { page, context, complaints, [Symbol.asyncDispose]: giveBack }
}
