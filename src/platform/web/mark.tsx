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

/**
 * Ways to draw the mark for a home screen: `rounded` on a tile; `masked` fills its square and stays
 * within the circle that every mask leaves (W3C manifest: two fifths of the side).
 */
export type IconShape = 'rounded' | 'masked'

const TILES: Record<IconShape, { path: string; scale: number }> = {
  rounded: {
    path: 'M5.5 0h13A5.5 5.5 0 0 1 24 5.5v13a5.5 5.5 0 0 1-5.5 5.5h-13A5.5 5.5 0 0 1 0 18.5v-13A5.5 5.5 0 0 1 5.5 0z',
    scale: 0.68,
  },
  masked: { path: 'M0 0h24v24H0z', scale: 0.52 },
}

/** The mark as a file, dark or light as the browser is. */
export function markFile(): string {
  const style =
    '<style>path{stroke:#2a211b}@media(prefers-color-scheme:dark){path{stroke:#f1ece2}}</style>'
  return svg(`${style}${STROKE}/>${dot('#e0641b')}`)
}

/** The mark in one colour, of which only the shape counts; `colour` is an SVG colour. */
export function plainMark(colour: string): string {
  return svg(`${STROKE} stroke="${colour}"/>${dot(colour)}`)
}

/** The icon of the installed app, from which `bun run pictures` draws its PNG files. */
export function iconFile(shape: IconShape): string {
  const { path, scale } = TILES[shape]
  const middle = `transform="translate(12.2 12) scale(${scale}) translate(-11.9 -12.8)"`
  const mark = `<g ${middle}>${STROKE} stroke="#2a211b"/>${dot('#e0641b')}</g>`
  return svg(`<path d="${path}" fill="#f8f4ea"/>${mark}`)
}

const STROKE = `<path d="${MARK_STROKE}" fill="none" stroke-width="2.3" stroke-linecap="round" stroke-linejoin="round"`

function dot(colour: string): string {
  return `<circle cx="${MARK_DOT.cx}" cy="${MARK_DOT.cy}" r="${MARK_DOT.r}" fill="${colour}"/>`
}

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${content}</svg>`
}
