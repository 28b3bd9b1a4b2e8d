/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { EmptyBox } from './empty-box.tsx'
import { Icon, type IconName } from './icon.tsx'

/** What will appear here, and the one next step, in one paragraph. */
export function Empty(props: { icon: IconName; title: string; children: ComponentChildren }) {
  return (
    <EmptyBox icon={<Icon name={props.icon} />} title={props.title}>
      <p>{props.children}</p>
    </EmptyBox>
  )
}
