import { cleanLine } from '../../platform/text.ts'
import { formField } from '../../platform/web/form.tsx'
import { TAG_MAX, TAGS_MAX } from '../wire/targeting.ts'

/** The named fields of a form as they were typed. */
export function readDraft(form: URLSearchParams, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, formField(form, name)]))
}

/** `work, phone` as two tags. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map(cleanLine)
  return [...new Set(tags)].filter((tag) => tag !== '')
}

export function wrongTags(tags: string[]): string | undefined {
  const fine = tags.length <= TAGS_MAX && tags.every((tag) => [...tag].length <= TAG_MAX)
  return fine ? undefined : `At most ${TAGS_MAX} tags of at most ${TAG_MAX} characters.`
}
