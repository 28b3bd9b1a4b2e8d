const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i

/**
 * A Windows path in the one spelling that paths are compared in: `/` between names, no `\\?\`
 * before it, a small drive letter, no `:stream`, no dots and spaces at the end of a name. Undefined
 * for a device, which is no file. Pure: it is the same on every system.
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

/** `C:\x`, `\\server\share` and `\\?\C:\x` are Windows paths wherever they are met. */
export function looksLikeWindows(text: string): boolean {
  return /^([A-Za-z]:[\\/]|\\\\)/.test(text)
}

function windowsName(name: string): string {
  const file = name.replace(/:.*$/s, '')
  return /^\.+$/.test(file) && file.length < 3 ? file : file.replace(/[. ]+$/, '')
}
