import { type Path, readPath, withoutDrive } from './glob.ts'
import { isAscii, type Spelling } from './spelling.ts'

/** A path in each spelling; for ASCII the two case-folded spellings are the same. */
export type Spelled = Record<Spelling, Path> & { ascii: boolean }

/**
 * A path as rules see it: `own` as given (with `..` resolved), `joined` below each root, for
 * absolute rules.
 */
export type Candidate = { text: string; own: Spelled; joined: Spelled[] }

export function readCandidate(text: string, roots: readonly string[]): Candidate {
  const own = follow(withoutDrive(text))
  const joined = own.startsWith('/') ? [] : roots.map((root) => spellAll(`${root}/${own}`))
  return { text, own: spellAll(own), joined }
}

/** Whether the path contains `..`: only the kernel knows what it means. */
export function climbs(text: string): boolean {
  return text.split('/').includes('..')
}

function spellAll(text: string): Spelled {
  const ascii = isAscii(text)
  const simple = readPath(text, 'simple')
  const full = ascii ? simple : readPath(text, 'full')
  return { exact: readPath(text), simple, full, ascii }
}

// A path that leaves the root by `..` is elsewhere on the machine: absolute, as far as it is known.
function follow(text: string): string {
  if (!climbs(text)) return text
  const kept: string[] = []
  let absolute = text.startsWith('/')
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') kept.push(segment)
    else if (kept.pop() === undefined) absolute = true
  }
  return `${absolute ? '/' : ''}${kept.join('/')}`
}
