/** @jsxImportSource preact */
/** Shown on every page while the data is not meant to be used yet. */
export function PreviewNote() {
  return (
    <p class="preview">
      <b>Preview.</b> These records are still being gathered and checked. Look around, and do not
      rely on them yet.
    </p>
  )
}
