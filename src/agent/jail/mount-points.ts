import { readFileSync } from 'node:fs'

/** Where something is mounted for a process, and whether it may be changed. */
export function mountPoints(process: string): Array<{ path: string; isWritable: boolean }> {
  const text = readFileSync(`/proc/${process}/mountinfo`, 'utf8').trimEnd()
  const points: Array<{ path: string; isWritable: boolean }> = []
  for (const line of text.split('\n')) {
    const fields = line.split(' ', 6)
    const [path = '', options = ''] = [fields[4], fields[5]]
    const isWritable = options === 'rw' || options.startsWith('rw,')
    points.push({ path: path.includes('\\') ? unescaped(path) : path, isWritable })
  }
  return points
}

function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
}
