/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

/** One row of a list of facts. */
export function Fact(props: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd dir="auto">{props.children}</dd>
    </div>
  )
}
