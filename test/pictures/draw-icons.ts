import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { iconFile, plainMark } from '../../src/platform/web/mark.tsx'

const FOLDER = join(import.meta.dir, '../../src/ask/pages/assets')

const FILES: ReadonlyArray<[name: string, size: number, svg: string]> = [
  // Apple rounds the corners itself, and paints what is transparent black.
  ['icon-180.png', 180, iconFile('masked')],
  ['icon-192.png', 192, iconFile('rounded')],
  ['icon-512.png', 512, iconFile('rounded')],
  ['masked-192.png', 192, iconFile('masked')],
  ['masked-512.png', 512, iconFile('masked')],
  // Android shows the shape of a badge in a colour of its own.
  ['badge-96.png', 96, plainMark('#fff')],
]

/** Draws the PNG icons of the app from its mark. */
export async function drawIcons(browser: Browser): Promise<void> {
  for (const [name, size, svg] of FILES) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    const address = `data:image/svg+xml,${encodeURIComponent(svg)}`
    await page.setContent(
      `<style>*{margin:0}</style><img src="${address}" width="${size}" height="${size}">`,
    )
    await page.screenshot({ path: join(FOLDER, name), omitBackground: true })
    await page.close()
  }
}
