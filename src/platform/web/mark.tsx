/** @jsxImportSource preact */
/** A raised hand in one stroke, and the dot that means somebody is waiting. */
const MARK_STROKE =
  'M7 22c-2-2.5-2.5-5-2.5-8V6.8a2.9 2.9 0 0 1 5.8 0V13h3.2a4.5 4.5 0 0 1 4.5 4.5V22'
const MARK_DOT = { cx: 16.6, cy: 6.2, r: 2.7 }

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <path d={MARK_STROKE} />
      <circle {...MARK_DOT} />
    </svg>
  )
}

/** The mark as a file: `full` fills its square, as home screens want it. */
export function markFile(full: { size: number } | undefined): string {
  const stroke = `<path d="${MARK_STROKE}" fill="none" stroke-width="2.3" stroke-linecap="round" stroke-linejoin="round"`
  const dot = `<circle cx="${MARK_DOT.cx}" cy="${MARK_DOT.cy}" r="${MARK_DOT.r}" fill="#e0641b"/>`
  if (!full) {
    const style =
      '<style>path{stroke:#2a211b}@media(prefers-color-scheme:dark){path{stroke:#f1ece2}}</style>'
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${style}${stroke}/>${dot}</svg>`
  }
  const shift = 'transform="translate(12.2 12) scale(.52) translate(-11.9 -12.8)"'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="${full.size}" height="${full.size}"><path d="M0 0h24v24H0z" fill="#f8f4ea"/><g ${shift}>${stroke} stroke="#2a211b"/>${dot}</g></svg>`
}
