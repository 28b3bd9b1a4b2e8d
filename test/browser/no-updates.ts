import type { Page } from 'playwright-core'

/**
 * A page that does not update itself: no event reaches it, and what it looks up fails. Call this
 * before the page is opened. A lookup that was under way already can bring what the test changes
 * later, which happens on a busy machine.
 */
export async function preventUpdates(page: Page): Promise<void> {
  // Without a response the stream stays in the state of connecting. A refusal fetches the page.
  await page.route('**/api/v1/events*', () => {})
  await page.route('**/*', (route) => {
    const request = route.request()
    const isLookup = request.resourceType() === 'fetch' && request.method() === 'GET'
    return isLookup ? route.abort() : route.fallback()
  })
}
