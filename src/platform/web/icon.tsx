/** @jsxImportSource preact */
/**
 * Stroke icons on a 24-unit grid, one path each; they appear beside a word and never replace it.
 */
const STROKES = {
  activity: 'M3 12h4l2.5-7 5 14 2.5-7h4',
  back: 'M19 12H5m6-6-6 6 6 6',
  bell: 'M6 9.5a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4s2-1.5 2-6.5M10 19.5a2.2 2.2 0 0 0 4 0',
  browser: 'M4.5 5h15v11h-15zM2 19.5h20',
  calendar: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8',
  chat: 'M4 5h16v11h-9l-5 4v-4H4z',
  catalog: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  check: 'm5 12.5 4.5 4.5L19 7',
  chevron: 'm9 6 6 6-6 6',
  clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M12 7.5V12l3 2',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  cross: 'M6.5 6.5l11 11m0-11-11 11',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  filter: 'M4 7h16M7.5 12h9M10.5 17h3',
  flask: 'M9 3h6M10 3v6L4.5 19a1.4 1.4 0 0 0 1.3 2h12.4a1.4 1.4 0 0 0 1.3-2L14 9V3M7.5 15h9',
  folder: 'M3 6h6l2 2.5h10V19H3z',
  inbox: 'M3 13l3.2-8h11.6L21 13v6H3zM3 13h5.2l1.5 2.6h4.6l1.5-2.6H21',
  key: 'M8 11a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M11.2 12.3 20 3.5M16.5 7l3 3',
  leave: 'M10 4H4.5v16H10M9 12h11.5m-4-4 4 4-4 4',
  link: 'M10 14 20 4m-6 0h6v6M17 14v6H4V7h6',
  pause: 'M9 5v14M15 5v14',
  minus: 'M5.5 12h13',
  out: 'M8 16 17 7m-7 0h7v7',
  palette: 'M12 3.5a8.5 8.5 0 1 1 0 17zM12 3.5a8.5 8.5 0 0 0 0 17',
  person: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4.5 20.5a7.5 6 0 0 1 15 0',
  phone: 'M7 2.5h10v19H7zM11 18.5h2',
  plus: 'M12 5v14M5 12h14',
  rule: 'M4 6h6c4 0 4 12 8 12h2m-3-3 3 3-3 3M13 6h7m-3-3 3 3-3 3',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M15.5 15.5 20 20',
  sessions: 'M12 3.5 3 8.3l9 4.8 9-4.8zM3 12.2l9 4.8 9-4.8M3 16.1l9 4.8 9-4.8',
  settings: 'M4 7h9m4 0h3M15 4.5v5M4 17h3m4 0h9M9 14.5v5',
  stop: 'M8.5 3h7L21 8.5v7L15.5 21h-7L3 15.5v-7zM9 9l6 6m0-6-6 6',
  terminal: 'M3 5h18v14H3zM7 10l3 2.5L7 15m6 0h4',
  undo: 'M9 5 4 10l5 5M4 10h9.5a5.5 5.5 0 0 1 0 11H8',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5m0 2.6v.1',
} as const

export type IconName = keyof typeof STROKES

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={STROKES[name]} />
    </svg>
  )
}
