/** @jsxImportSource preact */
import { Icon } from './icon.tsx'

/** Copies the monospace text beside it, within the element that has `data-copy-from`; needs scripts. */
export function CopyButton() {
  return (
    <button type="button" class="small" data-copy hidden data-enhance>
      <Icon name="copy" />
      <span>Copy</span>
    </button>
  )
}
