import { looksLikeWindows, windowsPath } from './windows.ts'

const LENGTH_MAX = 65_536

export type PathText = { text: string } | { device: string } | { refused: string }

/**
 * What a tool means by a path: no byte order mark, no quotes around it, `~` for the home folder,
 * `file://` decoded, Windows spelling where it is one.
 */
export function readPathText(path: string, machine: { home: string; windows: boolean }): PathText {
  if (path.includes('\0')) return { refused: 'it contains a NUL' }
  if (path.length > LENGTH_MAX) return { refused: 'it is too long' }
  const bare = path.replace(/^\uFEFF+/, '').replace(/^(["'`])(.*)\1$/s, '$2')
  if (bare === '') return { refused: 'it is empty' }
  const local = /^file:/i.test(bare) ? fromUrl(bare) : bare
  if (local === undefined || local.includes('\0')) return { refused: 'it is no path of a file' }
  const home = /^~(?=$|\/|\\)/.test(local) ? machine.home + local.slice(1) : local
  if (!machine.windows && !looksLikeWindows(home)) return { text: home }
  const windows = windowsPath(home)
  return windows === undefined ? { device: home } : { text: windows }
}

function fromUrl(url: string): string | undefined {
  const path = url.replace(/^file:(\/\/(localhost)?(?=\/))?/i, '').replace(/[?#].*$/s, '')
  if (path.startsWith('//')) return undefined
  try {
    return decodeURIComponent(path).replace(/^\/(?=[A-Za-z]:[\\/])/, '')
  } catch {
    return undefined
  }
}

/** The path without `.`, `..` and doubled slashes, as text has it: links are not looked at. */
export function normalise(path: string): string {
  const drive = /^[a-z]:(?=\/)/.exec(path)?.[0] ?? ''
  const names: string[] = []
  for (const name of path.slice(drive.length).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `${drive}/${names.join('/')}`
}

/** What is no file, whatever is written to it. */
export function isDevice(path: string): boolean {
  return (
    /^\/dev\/(null|zero|full|u?random|tty|ptmx|std(in|out|err)|(fd|pts)\/\d+)$/.test(path) ||
    /^\/proc\/(self|thread-self|\d+)(\/task\/[^/]+)?\/fd\/\d+$/.test(path)
  )
}
