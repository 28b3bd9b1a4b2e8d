/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

type Props = { icon: ComponentChildren; title: string; children: ComponentChildren }

/** What will appear here, and the one next step. */
export function EmptyBox({ icon, title, children }: Props) {
  return (
    <div class="empty">
      {icon}
      <p>
        <b>{title}</b>
      </p>
      {children}
    </div>
  )
}
