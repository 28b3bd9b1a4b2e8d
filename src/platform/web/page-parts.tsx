/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

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

/** A block of monospace text; a long one scrolls, so it must be reachable with the keyboard. */
export function Code(props: { name: string; class?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section cannot be preformatted text.
    <pre class={props.class ?? 'code'} dir="ltr" role="group" tabIndex={0} aria-label={props.name}>
      {props.children}
    </pre>
  )
}

/** Copies the monospace text beside it, within the element that has `data-copy-from`; needs scripts. */
export function CopyButton() {
  return (
    <button type="button" class="small" data-copy hidden data-enhance>
      <Icon name="copy" />
      <span>Copy</span>
    </button>
  )
}

type AddingProps = { name: string; open?: boolean; children: ComponentChildren }

/** A button above a list that unfolds the form which adds to it, also without scripts. */
export function Adding({ name, open = false, children }: AddingProps) {
  return (
    <details class="adding-form new" open={open}>
      <summary class="button primary">
        <Icon name="plus" />
        {name}
      </summary>
      {children}
    </details>
  )
}

type Props = { icon: IconName; title: string; children: ComponentChildren }

/** Says what will appear here and names the one next step, in paragraphs of the caller. */
export function EmptyBox({ icon, title, children }: Props) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p>
        <b>{title}</b>
      </p>
      {children}
    </div>
  )
}

/** The same in one paragraph. */
export function Empty({ icon, title, children }: Props) {
  return (
    <EmptyBox icon={icon} title={title}>
      <p>{children}</p>
    </EmptyBox>
  )
}

/** How a state is shown; without an icon it pulses, because somebody or something is waiting. */
export type Appearance = {
  tone: 'wait' | 'good' | 'calm' | 'bad'
  icon: IconName | undefined
  word: string
}

/** A state as icon and word; the colour only repeats it. */
export function StateMark({ look: { tone, icon, word } }: { look: Appearance }) {
  return (
    <span class={`status ${tone}`}>
      <Sign icon={icon} />
      {word}
    </span>
  )
}

/** A state as its icon alone, for places that show the word elsewhere. */
export function StateDot({ look: { tone, icon } }: { look: Appearance }) {
  return (
    <span class={`dot ${tone}`}>
      <Sign icon={icon} />
    </span>
  )
}

function Sign({ icon }: Pick<Appearance, 'icon'>) {
  return icon ? <Icon name={icon} /> : <span class="pulse" />
}

/** The page of a long list that is shown, of how many, both counted from 1. */
type Pages = { page: number; pages: number }

/**
 * The page of `total` rows that the address asks for with `?page=`, and the index of its first row;
 * a page beyond the end becomes the last one. `wanted`, the index of a row, takes precedence.
 */
export function pagesOf(
  total: number,
  size: number,
  url: URL,
  position?: number,
): Pages & { offset: number } {
  const pages = Math.max(1, Math.ceil(total / size))
  const requested =
    position === undefined
      ? Number.parseInt(url.searchParams.get('page') ?? '', 10) || 1
      : Math.floor(position / size) + 1
  const page = Math.min(pages, Math.max(1, requested))
  return { page, pages, offset: (page - 1) * size }
}

/** Links to the previous and next page; nothing for a list that fits on one page. */
export function Pager({ at: { page, pages }, path }: { at: Pages; path: string }) {
  if (pages === 1) return null
  const to = `${path}${path.includes('?') ? '&' : '?'}page=`
  return (
    <nav class="pager" aria-label="Pages of this list">
      {page > 1 && (
        <a class="button small" href={`${to}${page - 1}`} rel="prev">
          Before
        </a>
      )}
      <span class="soft">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a class="button small" href={`${to}${page + 1}`} rel="next">
          More
        </a>
      )}
    </nav>
  )
}
