const LENGTH_MAX = 65_536

export type PathText = { text: string } | { device: string } | { refused: string }

/**
 * Reads a path as a tool does: no byte order mark, no quotes around it, `~` for the home folder,
 * `file://` decoded, Windows spelling where it is one.
 */
export function readPathText(path: string, machine: { home: string; windows: boolean }): PathText {
  if (path.includes('\0')) return { refused: 'it contains a NUL' }
  if (path.length > LENGTH_MAX) return { refused: 'it is too long' }
  const bare = path.replace(/^\uFEFF+/, '').replace(/^(["'`])(.*)\1$/s, '$2')
  if (bare === '') return { refused: 'it is empty' }
  const local = /^file:/i.test(bare) ? fromUrl(bare) : bare
  if (local === undefined || local.includes('\0'))
    return { refused: 'it is not the path of a file' }
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

/** The path without `.`, `..` and doubled slashes, from the text alone: links are not read. */
export function normalise(path: string): string {
  const drive = /^[a-z]:(?=\/)/.exec(path)?.[0] ?? ''
  const names: string[] = []
  for (const name of path.slice(drive.length).split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `${drive}/${names.join('/')}`
}

/** A path in `folder`, or one from the root, as `normalise` returns it. */
export function fromFolder(folder: string, path: string): string {
  return normalise(/^(\/|[A-Za-z]:[\\/])/.test(path) ? path : `${folder}/${path}`)
}

/** Devices: not files, whatever is written to them. */
export function isDevice(path: string): boolean {
  return (
    /^\/dev\/(null|zero|full|u?random|tty|ptmx|std(in|out|err)|(fd|pts)\/\d+)$/.test(path) ||
    /^\/proc\/(self|thread-self|\d+)(\/task\/[^/]+)?\/fd\/\d+$/.test(path)
  )
}

const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i

/**
 * A Windows path in the one spelling that paths are compared in: `/` between names, no `\\?\`
 * before it, a small drive letter, no `:stream`, no dots and spaces at the end of a name. Undefined
 * for a device, which is not a file. Pure: it is the same on every system.
 */
export function windowsPath(text: string): string | undefined {
  const slashed = text
    .replaceAll('\\', '/')
    .replace(/^\/\/[?.]\/UNC\//i, '//')
    .replace(/^(\/\/[?.]|\/\?\?)\//, '')
  const drive = /^([A-Za-z]):/.exec(slashed)
  const rest = drive ? slashed.slice(2) : slashed
  const names = rest.split('/').map(windowsName)
  if (names.some((name) => DEVICE.test(name.replace(/ *\..*$/, '')))) return undefined
  return `${drive ? `${drive[1]?.toLowerCase()}:` : ''}${names.join('/')}`
}

/** `C:\x`, `\\server\share` and `\\?\C:\x` are Windows paths on every system. */
export function looksLikeWindows(text: string): boolean {
  return /^([A-Za-z]:[\\/]|\\\\)/.test(text)
}

function windowsName(name: string): string {
  const file = name.replace(/:.*$/s, '')
  return /^\.+$/.test(file) && file.length < 3 ? file : file.replace(/[. ]+$/, '')
}
