/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

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
