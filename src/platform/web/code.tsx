/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

/** A block of monospace text; a long one scrolls, so it must be reachable with the keyboard. */
export function Code(props: { name: string; class?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section cannot be preformatted text.
    <pre class={props.class ?? 'code'} role="group" tabIndex={0} aria-label={props.name}>
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
