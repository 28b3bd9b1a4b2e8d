import type { Area } from './areas.ts'

type Place = Omit<Area, 'owner'>

/**
 * The profile of `sandbox-exec` for these areas. If several rules match, the last one counts, so
 * they are ordered from the outermost area to the innermost.
 */
export function seatbeltProfile(areas: readonly Place[], devices: readonly string[]): string {
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...devices.map((path) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...areas.map(ruleOf),
    '',
  ].join('\n')
}

function ruleOf({ path, mode, isFolder }: Place): string {
  const place = `(${isFolder ? 'subpath' : 'literal'} ${quoted(path)})`
  if (mode === 'write') return `(allow file-write* ${place})`
  return mode === 'read' ? `(deny file-write* ${place})` : `(deny file-read* file-write* ${place})`
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}
