import { setItem } from './edit-list.ts'
import { UNSORTED } from './merge-facts.ts'

/** `catalog.yaml` with the category of records that nobody has sorted yet. */
export function withCategory(text: string): string {
  const item = {
    id: UNSORTED,
    name: 'Unsorted',
    area: UNSORTED,
    description: 'Imported, and not yet sorted by anybody.',
  }
  return setItem(text, { field: 'categories', item })
}
