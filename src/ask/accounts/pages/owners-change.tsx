/** @jsxImportSource preact */
import { Icon } from '../../../platform/web/icon.tsx'

/** Why there is nothing to press: said in place of the buttons that a member would not have. */
export function OwnersChange({ what }: { what: string }) {
  return (
    <p class="notice">
      <Icon name="key" />
      <span>An owner of this workspace changes {what}; you can look.</span>
    </p>
  )
}
