import { cleanLine } from '../../../platform/text.ts'

/** Words of the APIs.guru directory, and the categories of the example catalog that mean the same. */
const CATEGORIES: Record<string, string> = {
  payment: 'payments',
  messaging: 'messaging',
  email: 'messaging',
  telecom: 'messaging',
  search: 'search',
  storage: 'storage',
  developer_tools: 'developer-tools',
  machine_learning: 'models',
  hosting: 'compute',
  open_data: 'data',
  location: 'data',
  financial: 'data',
}
const TAGS_MAX = 10
const TAG_CHARS_MAX = 50

/** The category that the first known word stands for; the others are left to a curator. */
export function categoryOf(info: Record<string, unknown>): string | undefined {
  const words = wordsIn(info['x-apisguru-categories'])
  const known = words.find((it) => Object.hasOwn(CATEGORIES, it))
  return known === undefined ? undefined : CATEGORIES[known]
}

export function tagsOf(info: Record<string, unknown>): string[] | undefined {
  const words = [...wordsIn(info['x-apisguru-categories']), ...wordsIn(info['x-tags'])]
  const tags = [...new Set(words.map((it) => it.replaceAll('_', '-')))]
  return tags.length > 0 ? tags.slice(0, TAGS_MAX) : undefined
}

function wordsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, 100)
    .filter((it) => typeof it === 'string')
    .map((it) => cleanLine(it.slice(0, 1000)).toLowerCase())
    .filter((it) => it.length > 1 && it.length <= TAG_CHARS_MAX)
}
