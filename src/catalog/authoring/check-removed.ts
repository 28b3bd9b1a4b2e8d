import type { Tombstone } from '../records/change.ts'
import { hint } from './did-you-mean.ts'
import type { Filed } from './folder.ts'
import { found } from './found.ts'
import type { Tell } from './tell.ts'

/** A removed slug is never used again, and what takes its place exists. */
export function checkRemoved(
  { parsed, value }: Filed<Tombstone[]>,
  slugs: ReadonlySet<string>,
  tell: Tell,
): void {
  const targets = new Map(value.map(({ slug, renamedTo }) => [slug, renamedTo]))
  const seen = new Set<string>()
  for (const [i, { slug, renamedTo, replacement }] of value.entries()) {
    if (seen.has(slug)) tell(parsed, `/${i}/slug`, 'each slug once', found(slug))
    seen.add(slug)
    if (slugs.has(slug)) {
      tell(parsed, `/${i}/slug`, 'a slug that no tool has: it is never used again', found(slug))
    }
    if (renamedTo !== undefined && replacement !== undefined) {
      tell(parsed, `/${i}/replacement`, 'either renamedTo or replacement', 'both')
    }
    if (renamedTo !== undefined && !leads(slug, targets, slugs)) {
      tell(
        parsed,
        `/${i}/renamedTo`,
        `the slug of a tool${hint(renamedTo, slugs)}`,
        found(renamedTo),
      )
    }
    if (replacement !== undefined && !slugs.has(replacement)) {
      const expected = `the slug of a tool${hint(replacement, slugs)}`
      tell(parsed, `/${i}/replacement`, expected, found(replacement))
    }
  }
}

/** Whether renames, one after the other, end at a record. */
function leads(
  slug: string,
  targets: ReadonlyMap<string, string | undefined>,
  slugs: ReadonlySet<string>,
): boolean {
  const been = new Set([slug])
  let at = targets.get(slug)
  while (at !== undefined && !slugs.has(at)) {
    if (been.has(at)) return false
    been.add(at)
    at = targets.get(at)
  }
  return at !== undefined
}
