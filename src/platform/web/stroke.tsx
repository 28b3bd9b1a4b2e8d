/** @jsxImportSource preact */
/** An icon in one stroke on a 24-unit grid; it stands beside a word and never replaces it. */
export function Stroke({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
