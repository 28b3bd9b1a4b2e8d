/** @jsxImportSource preact */
import { Stroke } from '../../platform/web/stroke.tsx'

const STROKES = {
  calendar: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8',
  check: 'm5 12.5 4.5 4.5L19 7',
  chevron: 'm9 6 6 6-6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  cross: 'M6.5 6.5l11 11m0-11-11 11',
  filter: 'M4 7h16M7.5 12h9M10.5 17h3',
  folder: 'M3 6h6l2 2.5h10V19H3z',
  minus: 'M5.5 12h13',
  out: 'M8 16 17 7m-7 0h7v7',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 20 20',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5m0 2.6v.1',
} as const

export type IconName = keyof typeof STROKES

export function Icon({ name }: { name: IconName }) {
  return <Stroke path={STROKES[name]} />
}
