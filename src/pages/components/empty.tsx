/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

/** What will appear here, and the one next step. */
export function Empty(props: { icon: IconName; title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={props.icon} />
      <p>
        <b>{props.title}</b>
      </p>
      <p>{props.children}</p>
    </div>
  )
}
