import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { ImportDeps, Importer } from './importer.ts'
import type { Leftover } from './leftovers.ts'
import { planImport } from './plan-import.ts'

type Reread = {
  importer: Importer
  source: string
  readText: (path: string) => string
}

/**
 * Imported values that a source at hand does not show as they stand in the files, after reading it
 * again from its documents. Nothing is written, and what a person changed is passed over. Throws
 * what the importer throws.
 */
export async function rereadSource(
  catalog: CatalogSource,
  { importer, source, readText }: Reread,
  deps: ImportDeps,
): Promise<Leftover[]> {
  const { report } = await planImport(catalog, { importer, source }, deps, { readText })
  return report.changed.flatMap(({ path, from, fields }) =>
    fields.flatMap(({ field, from: before, to }) => {
      // The files do not have it yet: that is no claim.
      if (before === null) return []
      const now = to === null || to === 'unknown' ? 'no such value' : short(to)
      return [{ file: path, field, about: `${from} has ${now}, here it is ${short(before)}.` }]
    }),
  )
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
