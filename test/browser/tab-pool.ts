import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Page,
} from 'playwright-core'

/** A tab that may be used by one test after the other. */
type KeptTab = {
  page: Page
  context: BrowserContext
  cdp: CDPSession
  complaints: string[]
  /** Whether a test did something to it that `emptied` does not take back. */
  spent: boolean
}

/** What stays with a page or its context, however often it is navigated. */
const LASTING = [
  ...['addInitScript', 'exposeBinding', 'exposeFunction', 'addLocatorHandler'],
  ...['route', 'routeFromHAR', 'routeWebSocket', 'setOffline', 'setExtraHTTPHeaders'],
  ...['grantPermissions', 'clearPermissions', 'setGeolocation', 'setHTTPCredentials'],
  ...['setViewportSize', 'emulateMedia', 'setDefaultTimeout', 'setDefaultNavigationTimeout'],
  ...['on', 'once', 'addListener', 'prependListener', 'newCDPSession', 'close', 'pause'],
]

const tabsOf = new WeakMap<Browser, Map<string, KeptTab[]>>()

/**
 * A tab as a new one is: without cookies, storage, workers, routes or history. The process of a new
 * tab takes a third of a second of the processor, so that one with the same options that a test has
 * given back is used again.
 */
export async function takeTab(
  browser: Browser,
  options: BrowserContextOptions & { baseURL: string },
): Promise<{ tab: KeptTab; giveBack(): Promise<void> }> {
  const key = JSON.stringify(options)
  const tabs = tabsOf.get(browser) ?? new Map<string, KeptTab[]>()
  tabsOf.set(browser, tabs)
  const tab = tabs.get(key)?.pop() ?? (await newTab(browser, options))
  tab.complaints = []
  return {
    tab,
    async giveBack() {
      if (tab.spent || options.storageState || !(await isEmptied(tab, options.baseURL)))
        return tab.context.close()
      tabs.set(key, [...(tabs.get(key) ?? []), tab])
    },
  }
}

/** Ends every tab of a browser. */
export async function endTabs(browser: Browser): Promise<void> {
  tabsOf.delete(browser)
  await Promise.all(browser.contexts().map((context) => context.close()))
}

async function newTab(browser: Browser, options: BrowserContextOptions): Promise<KeptTab> {
  const context = await browser.newContext(options)
  // A busy machine is waited for; what never comes is still said before the test is over.
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const tab: KeptTab = { page, context, cdp, complaints: [], spent: false }
  page.on('pageerror', (error) => tab.complaints.push(error.message))
  page.on('console', (message) => {
    // A page that says 4xx is no complaint; the browser reports it all the same.
    const status = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !status) tab.complaints.push(message.text())
  })
  page.on('dialog', (dialog) => {
    tab.complaints.push(`dialog: ${dialog.message()}`)
    dialog.dismiss()
  })
  for (const one of [page, context]) spentBy(one, tab)
  return tab
}

function spentBy(one: object, tab: KeptTab): void {
  for (const name of LASTING) {
    const value = Reflect.get(one, name)
    if (typeof value !== 'function') continue
    const spends = (...args: unknown[]) => {
      tab.spent = true
      return Reflect.apply(value, one, args)
    }
    Object.defineProperty(one, name, { value: spends, configurable: true })
  }
  const { clock } = one as Page
  const get = () => {
    tab.spent = true
    return clock
  }
  Object.defineProperty(one, 'clock', { get, configurable: true })
}

/** Takes away what a test has left in a tab. */
async function isEmptied({ page, context, cdp }: KeptTab, origin: string): Promise<boolean> {
  try {
    const others = context.pages().filter((other) => other !== page)
    await Promise.all(others.map((other) => other.close()))
    // A page without scripts, where nothing is written when it is left.
    if (page.url() !== 'about:blank') await page.goto('/healthz')
    await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    if (page.url() !== 'about:blank') await page.evaluate(() => sessionStorage.clear())
    await page.goto('about:blank')
    await context.clearCookies()
    await cdp.send('Page.resetNavigationHistory')
    return true
  } catch {
    return false
  }
}
