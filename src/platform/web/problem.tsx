/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

type Props = { children?: ComponentChildren; id?: string; hidden?: boolean }

/** An error in a sentence that is read out; a script may fill in and show a hidden one. */
export function Problem({ children, id, hidden }: Props) {
  return (
    <p class="problem" role="alert" id={id} hidden={hidden}>
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  )
}
