/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { EmptyBox } from '../../../platform/web/empty-box.tsx'
import { Icon, type IconName } from '../icon.tsx'

/** What will appear here, and the one next step. */
export function Empty(props: { icon: IconName; title: string; children: ComponentChildren }) {
  return (
    <EmptyBox icon={<Icon name={props.icon} />} title={props.title}>
      {props.children}
    </EmptyBox>
  )
}

/** Where the data is not meant to be used yet, every page says so. */
export function PreviewNote() {
  return (
    <p class="preview">
      <b>Preview.</b> These records are still being gathered and checked. Look around, and do not
      rely on them yet.
    </p>
  )
}
