import { readdirSync } from 'node:fs'

const ENTRIES_MAX = 2_000
const LOOK_MS = 20
// So many are looked at on the busiest machine.
const ENTRIES_MIN = 200

/**
 * What lies in a folder, the nearest first, as paths relative to it: at most 2,000 names, found
 * within 20 ms (200 in any case). Links are named and not followed, as no command that removes or moves a folder
 * follows them. Never throws.
 */
export function* inside(folder: string): Generator<string> {
  const until = performance.now() + LOOK_MS
  const todo = ['']
  let seen = 0
  for (const below of todo) {
    for (const entry of entriesOf(`${folder}/${below}`)) {
      if (seen++ === ENTRIES_MAX || (seen > ENTRIES_MIN && performance.now() > until)) return
      const name = `${below}${entry.name}`
      yield name
      if (entry.isDirectory()) todo.push(`${name}/`)
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
