/** @jsxImportSource preact */
import { Icon } from '../../platform/web/icon.tsx'

/** Shown on all test traffic, beside the hatching. */
export function TestMark() {
  return (
    <span class="test-mark">
      <Icon name="flask" />
      Test
    </span>
  )
}
