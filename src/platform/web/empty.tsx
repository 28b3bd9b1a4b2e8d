/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

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
