/** @jsxImportSource preact */
import { Icon } from '../../platform/web/icon.tsx'

/** Says why there are no buttons here: only owners may change this. */
export function OwnersChange({ what }: { what: string }) {
  return (
    <p class="notice">
      <Icon name="key" />
      <span>An owner of this workspace changes {what}; you can look.</span>
    </p>
  )
}
