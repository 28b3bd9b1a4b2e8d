import type { Tab } from './chromium.ts'

// A finger needs this much (WCAG 2.2, 2.5.8), in CSS pixels.
export const TAPPABLE = 24

/**
 * Opens every page and says of each what got out of its place: a script that ran, an element that
 * text made, a request or a way to another server, a page broken or wider than the window, a button
 * that cannot be reached.
 */
export async function escapesOf(tab: Tab, origin: string, paths: string[]): Promise<string[]> {
  const wrong: string[] = []
  let here = ''
  const say = (what: string) => wrong.push(`${here}: ${what}`)
  const { page, context } = tab
  await context.route('**', (route) => {
    const url = route.request().url()
    if (url.startsWith(`${origin}/`) || url.startsWith('data:image/svg')) return route.continue()
    say(`asks ${url.slice(0, 80)}`)
    return route.abort()
  })
  page.on('popup', () => say('opened a window'))
  page.on('download', () => say('downloads something'))
  page.on('worker', () => say('began a worker'))
  // Of a page that is too wide a phone shows all of it, and says that its window is as wide.
  const across = page.viewportSize()?.width ?? 0
  for (const path of paths) {
    here = path.slice(0, 80)
    await page.goto(path, { waitUntil: 'load' })
    const problems = await page.evaluate(look, { tappable: TAPPABLE, across })
    for (const what of problems) say(what)
    if (!page.url().startsWith(`${origin}/`)) say(`went to ${page.url()}`)
    for (const complaint of tab.complaints.splice(0)) say(complaint.slice(0, 200))
  }
  return wrong
}

/** What is wrong with a page; it runs in there. */
export function look({ tappable, across }: { tappable: number; across: number }): string[] {
  const wrong: string[] = []
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
  if ('broken' in window) wrong.push('a script ran')
  const elements = all(
    '#injected, #config, iframe, object, embed, base, template, math, video, audio, marquee, plaintext, xmp, main script, main style, main link, main meta, body > style, [srcdoc], [popover]:not(#filters), [contenteditable], [http-equiv]',
  )
  for (const one of elements) wrong.push(`there is ${one.outerHTML.slice(0, 80)}`)
  for (const one of all('*')) {
    for (const { name, value } of one.attributes) {
      if (/^on|^hx-on|^data-hx-on/.test(name)) wrong.push(`${one.tagName} has ${name}`)
      const leads = /^(href|src|action|formaction|srcset|background|hx-(get|post|put))$/.test(name)
      if (leads && !/^(https?:|webcal:|\/(?!\/)|#|\?|data:image\/svg|$)/i.test(value)) {
        wrong.push(`${one.tagName} ${name} leads to ${value.slice(0, 80)}`)
      }
    }
  }
  const unnamed = all('main a').filter((one) => !one.textContent?.trim() && !one.ariaLabel)
  for (const one of unnamed) wrong.push(`a link has no name: ${one.outerHTML.slice(0, 80)}`)
  if (all('main').length !== 1) wrong.push('it is not one whole page')
  for (const name of ['getElementById', 'cookie', 'body', 'forms'] as const) {
    if (document[name] instanceof HTMLFormElement) wrong.push(`${name} is another now`)
  }
  const wide = document.documentElement.scrollWidth - across
  if (wide > 1) {
    const [first] = all('main *').filter((one) => one.getBoundingClientRect().right > across + 1)
    wrong.push(`it is ${wide} px too wide: ${first?.outerHTML.slice(0, 120)}`)
  }
  const buttons = all('main button, main input[type=submit], main .button').filter((one) =>
    one.checkVisibility(),
  )
  for (const one of buttons) {
    const { left, right, width, height } = one.getBoundingClientRect()
    const text = one.textContent?.trim().slice(0, 30)
    if (left < -1 || right > across + 1) wrong.push(`“${text}” is outside of the window`)
    if (width < tappable || height < tappable) wrong.push(`“${text}” is ${width}×${height}`)
  }
  return wrong
}
