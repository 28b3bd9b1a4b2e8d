import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { isLong } from '../support/share.ts'
import { DESK, PHONE } from './chromium.ts'

// Best practices too: nothing of what axe knows is excused.
const ALL = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
// The target sizes and the rest do not change with the colours.
const CONTRAST = ['cat.color']

/**
 * The sizes that pages are looked at in. The quick run looks at a phone, and measures there what a
 * desk would have.
 */
export const SIZES = isLong
  ? [
      { name: 'a phone', options: PHONE },
      { name: 'a desk', options: DESK },
    ]
  : [{ name: 'a phone', options: PHONE }]

/** What axe finds on the page as it is. */
export async function violations(page: Page, tags = ALL): Promise<string[]> {
  await page.evaluate(axe.source)
  const problems = await page.evaluate(async (runOnly) => {
    const { axe: there } = window as unknown as { axe: typeof axe }
    const { violations: all } = await there.run(document, { runOnly, resultTypes: ['violations'] })
    return all.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, tags)
  return problems.map((one) => `${new URL(page.url()).pathname} ${one}`)
}

/**
 * What axe finds, and a page that scrolls sideways: in light and in dark in the long run; in the
 * quick one every other page is dark, as `turn` counts them.
 */
export async function faultsOf(page: Page, turn: number): Promise<string[]> {
  const problems: string[] = []
  const dark = () => page.emulateMedia({ colorScheme: 'dark' })
  if (!isLong && turn % 2 === 1) await dark()
  problems.push(...(await twice(page, ALL)))
  if (isLong) {
    await dark()
    problems.push(...(await twice(page, CONTRAST)))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  problems.push(...(await buried(page)))
  const own = page.viewportSize()
  const sizes = isLong ? [] : [DESK.viewport]
  for (const size of [own, ...sizes]) {
    if (size && size !== own) await page.setViewportSize(size)
    const over = await sideways(page)
    if (over > 1) problems.push(`${page.url()} scrolls sideways by ${over} at ${size?.width}`)
  }
  if (own && sizes.length > 0) await page.setViewportSize(own)
  return problems
}

/**
 * What axe finds twice, the second time in a window as high as the page: a list that was just being
 * replaced has sizes that nobody sees, and what is half under a bar can be scrolled from there.
 */
async function twice(page: Page, tags: string[]): Promise<string[]> {
  const problems = await violations(page, tags)
  const size = page.viewportSize()
  if (problems.length === 0 || !size) return problems
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: size.width, height: Math.max(height, size.height) })
  const again = await violations(page, tags)
  await page.setViewportSize(size)
  return problems.filter((one) => again.includes(one))
}

/** The links and buttons of a page that a press in their middle does not reach. */
async function buried(page: Page): Promise<string[]> {
  const parts = await page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('main a[href], main button')]
    const under = controls.filter((one) => {
      const [box] = one.getClientRects()
      if (!box || !one.checkVisibility() || one.closest('[inert], :disabled')) return false
      if (box.top < 80 || box.bottom > innerHeight - 160) {
        one.scrollIntoView({ block: 'center', behavior: 'instant' })
      }
      const [{ left, top, width, height } = box] = one.getClientRects()
      const hit = document.elementFromPoint(left + width / 2, top + height / 2)
      return hit !== null && hit !== one && !one.contains(hit)
    })
    return under.map((one) => one.outerHTML.slice(0, 200))
  })
  return parts.map((one) => `${new URL(page.url()).pathname} buries ${one}`)
}

/** How much wider than the screen a page is; a phone says that its window is as wide. */
export async function sideways(page: Page): Promise<number> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  return wide - (page.viewportSize()?.width ?? 0)
}
