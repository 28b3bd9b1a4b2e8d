/** @jsxImportSource preact */

import { Icon } from '../../../platform/web/icon.tsx'
import type { Person } from '../../accounts/model/person.ts'
import { paths } from '../../pages/paths.ts'

// A page of a phone that can still be walked, and is light whatever the names are; and a list that is
// seen at a glance.
export const ROWS = 20
export const FEW = 10

export function hasWords({ name, email }: Pick<Person, 'name' | 'email'>, words: string): boolean {
  const text = `${name} ${email}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Finds somebody by name or address; in a list that is seen at a glance nobody needs it. */
export function SearchPeople({ words }: { words: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: older assistive software does not know <search>.
    <form class="search" role="search" action={paths.people}>
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={words}
        placeholder="Name or address"
        aria-label="Search the people"
        data-search
      />
    </form>
  )
}
