import type { AuthoredTool } from '../records/authored.ts'
import type { Problem } from '../records/problem.ts'
import { SLUG_PATTERN } from '../records/words.ts'
import type { CatalogSource } from './catalog-source.ts'
import { checkAccepts } from './check-accepts.ts'
import { checkKeys } from './check-keys.ts'
import { checkMethodology } from './check-methodology.ts'
import { checkRemoved } from './check-removed.ts'
import { checkTool } from './check-tool.ts'
import { hint } from './did-you-mean.ts'
import type { Filed, Folder } from './folder.ts'
import { found } from './found.ts'
import { fieldOf } from './parse-yaml.ts'
import { teller } from './tell.ts'

const SLUG = new RegExp(SLUG_PATTERN)
const SLUG_MAX = 64

/** What files say of each other. There is a `source` when nothing is missing for one. */
export function crossCheck(folder: Folder): { source?: CatalogSource; problems: Problem[] } {
  const problems: Problem[] = []
  const tell = teller(problems)
  const { settings, methodology, removed, vendors, tools, texts, reviews, changes } = folder
  const removedSlugs = new Set((removed?.value ?? []).map(({ slug }) => slug))
  // A broken file is one problem, not one more for each that refers to it.
  const vendorIds = namesIn('vendors/', [...vendors.map(pathOf), ...folder.broken])
  const slugs = namesIn('tools/', [...tools.map(pathOf), ...folder.broken])

  const named: Filed<{ id?: string; slug?: string }>[] = [...vendors, ...tools, ...changes]
  for (const file of named) checkName(file)
  for (const { path, parsed } of reviews) checkName({ path, parsed, value: {} })
  if (settings) {
    unique(settings, '/categories', settings.value.categories)
    unique(settings, '/capabilities', settings.value.capabilities ?? [])
    checkAccepts(settings, tell)
  }
  if (methodology) checkMethodology(methodology, tell)
  for (const tool of tools) checkTool(tool, { vendorIds, settings, methodology }, tell)
  if (removed) checkRemoved(removed, slugs, tell)
  if (folder.keys) checkKeys(folder.keys, tell)
  for (const { path } of texts) {
    if (slugs.has(nameOf(path))) continue
    const expected = `tools/${nameOf(path)}.yaml beside it${hint(nameOf(path), slugs)}`
    problems.push({ file: path, line: 0, field: '', expected, found: 'no such file' })
  }
  for (const { path } of reviews) {
    const slug = path.split('/')[1] ?? ''
    if (slugs.has(slug) || removedSlugs.has(slug)) continue
    const expected = `the slug of a tool as folder${hint(slug, slugs)}`
    problems.push({ file: path, line: 0, field: '', expected, found: found(slug) })
  }
  checkChanges()

  function checkName({ path, parsed, value }: Filed<{ id?: string; slug?: string }>) {
    const name = nameOf(path)
    if (!SLUG.test(name) || name.length > SLUG_MAX) {
      const expected = `small letters, digits and single hyphens as name, at most ${SLUG_MAX}`
      problems.push({ file: path, line: 0, field: '', expected, found: found(name) })
    }
    for (const field of ['slug', 'id'] as const) {
      const said = value[field]
      if (said === undefined || said === name) continue
      tell(parsed, `/${field}`, `${found(name)}, the name of the file`, found(said))
    }
  }

  function unique({ parsed }: Filed<unknown>, pointer: string, items: Array<{ id: string }>) {
    const seen = new Set<string>()
    for (const [i, { id }] of items.entries()) {
      if (seen.has(id))
        tell(parsed, `${pointer}/${i}/id`, `${fieldOf(pointer)} once each`, found(id))
      seen.add(id)
    }
  }

  function checkChanges() {
    const seen = new Map<string, string>()
    for (const { path, parsed, value } of changes) {
      const [, year = ''] = path.split('/')
      const name = nameOf(path)
      const earlier = seen.get(name)
      if (earlier) tell(parsed, '', 'an id that no other change has', `that of ${earlier}`)
      seen.set(name, path)
      if (!value.date.startsWith(`${year}-`)) {
        tell(parsed, '/date', `a day of ${found(year)}, the folder`, found(value.date))
      }
      if (removedSlugs.has(value.tool)) {
        if (value.name === undefined) {
          tell(parsed, '/name', 'the name, as its record is removed', 'nothing')
        }
      } else if (!slugs.has(value.tool)) {
        tell(parsed, '/tool', `the slug of a tool${hint(value.tool, slugs)}`, found(value.tool))
      }
    }
  }

  if (!settings || !methodology) return { problems }
  const textBySlug = new Map(texts.map(({ path, value }) => [nameOf(path), value]))
  return {
    problems,
    source: {
      settings: settings.value,
      methodology: methodology.value,
      removed: removed?.value ?? [],
      vendors: vendors.map(({ path, value }) => ({ ...value, id: nameOf(path) })),
      tools: tools.map(({ path, value }) => {
        const slug = nameOf(path)
        const text = textBySlug.get(slug)
        return { ...value, slug, ...(text ? { text } : {}) } as AuthoredTool
      }),
      reviews: reviews.map(({ path, value }) => ({
        ...value,
        id: nameOf(path),
        tool: path.split('/')[1] ?? '',
      })),
      changes: changes.map(({ path, value }) => ({ ...value, id: nameOf(path) })),
      ...(folder.keys?.value.length ? { keys: folder.keys.value } : {}),
    },
  }
}

function pathOf({ path }: { path: string }): string {
  return path
}

/** `tools/resend.yaml` → `resend` */
function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/\.[a-z]+$/, '')
}

function namesIn(prefix: string, paths: Iterable<string>): Set<string> {
  return new Set([...paths].filter((it) => it.startsWith(prefix) && /\.yaml$/.test(it)).map(nameOf))
}
