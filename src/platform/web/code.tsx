/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

/** A block of monospace text; long ones scroll, so the keyboard must get into them. */
export function Code(props: { name: string; class?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a section cannot be preformatted text.
    <pre class={props.class ?? 'code'} role="group" tabIndex={0} aria-label={props.name}>
      {props.children}
    </pre>
  )
}
