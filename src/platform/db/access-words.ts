import { readFileSync, statSync } from 'node:fs'

const NOT_ALLOWED = /^(EACCES|EPERM)$/

/**
 * For a path that the system refused with `code`: whose it is, as the end of a sentence, if it
 * belongs to another user, and what to do.
 */
export function accessWords(path: string, code: string): { who: string; cure: string } {
  const other = 'Choose another folder with --data or BECKON_DATA, or look at the disk.'
  const self = process.geteuid?.()
  const owner = statOf(path)?.uid
  if (!NOT_ALLOWED.test(code) || self === undefined) return { who: '', cure: other }
  if (owner === undefined || owner === self) {
    return { who: '', cure: 'Correct its permissions, or those of the folders above it.' }
  }
  const name = userName(owner)
  return {
    who: `: it belongs to the user ${name}, and this runs as ${userName(self)}`,
    cure: `Run this as ${name} (sudo -u ${name}), or choose another folder with --data or BECKON_DATA.`,
  }
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

function userName(uid: number): string {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
    const entry = lines.map((line) => line.split(':')).find((fields) => fields[2] === String(uid))
    return entry?.[0] || `#${uid}`
  } catch {
    return `#${uid}`
  }
}
