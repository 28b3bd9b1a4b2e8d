/** @jsxImportSource preact */

type HeadProps = { title: string; description: string }

/** The beginning of every page's head. */
export function HeadStart({ title, description }: HeadProps) {
  return (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{title}</title>
      <meta name="description" content={description} />
    </>
  )
}

const LIGHT = '#faf6ec'
const DARK = '#15120f'

/** The colour of the browser's own frame, which a stylesheet cannot set. */
export function ThemeColours({ theme = 'auto' }: { theme?: 'auto' | 'light' | 'dark' }) {
  if (theme !== 'auto') return <meta name="theme-color" content={theme === 'dark' ? DARK : LIGHT} />
  return (
    <>
      <meta name="theme-color" content={LIGHT} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={DARK} media="(prefers-color-scheme: dark)" />
    </>
  )
}

/** The first stop of the Tab key. */
export function SkipLink() {
  return (
    <a class="skip" href="#main">
      Skip to the content
    </a>
  )
}

/** Where scripts put sentences for screen readers. */
export function Announcements() {
  return <p class="unseen" role="status" id="say" />
}
