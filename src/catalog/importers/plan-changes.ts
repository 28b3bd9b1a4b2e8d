import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { stringify } from 'yaml'
import { cleanLine } from '../../platform/text.ts'
import { describe } from '../../platform/yaml/value-words.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { schemaLine } from '../authoring/editor-schemas.ts'
import { AuthoredChange } from '../records/authored.ts'
import type { ImportedRecord } from './importer.ts'
import type { ImportReport } from './report.ts'
import { changeId } from './slug-from.ts'

type Write = (path: string, after: string, isNew: boolean) => void
type Change = Static<typeof AuthoredChange>

const check = TypeCompiler.Compile(Type.Omit(AuthoredChange, []))
// The fields compared with an existing change; its words are the curator's choice.
const COMPARED = ['date', 'kind'] as const

/**
 * Plans the files of dated changes. A change exists already if its id does, or if the same tool has
 * one of the same kind on the same day. An existing change belongs to the curator, and differences
 * are conflicts.
 */
export function planChanges(catalog: CatalogSource, write: Write, report: ImportReport) {
  const byId = new Map<string, Change>(catalog.changes.map((it) => [it.id, it]))
  const days = new Map(catalog.changes.map((it) => [dayKey(it), it]))

  return {
    add(slug: string, { changes = [], from }: Pick<ImportedRecord, 'changes' | 'from'>) {
      for (const { key, ...fields } of changes) {
        const id = changeId(slug, key)
        const change = { ...fields, what: cleanLine(fields.what), tool: slug }
        const there = byId.get(id)
        if (there) compare(id, there, change)
        else if (isTold(id, change)) continue
        else if (!check.Check(change)) {
          const [error] = check.Errors(change)
          const place = { file: from.url, record: slug, field: `changes.${error?.path.slice(1)}` }
          const expected = 'what changes/YEAR/ID.yaml may say'
          report.wrong.push({ ...place, expected, found: describe(error?.value) })
        } else {
          const path = `changes/${change.date.slice(0, 4)}/${id}.yaml`
          write(path, schemaLine(path) + stringify(change, { lineWidth: 0 }), true)
          byId.set(id, change)
          report.changes.push(path)
        }
      }
    },
  }

  /** A curator may have described the same change in other words. */
  function isTold(id: string, change: Change): boolean {
    const existing = days.get(dayKey(change))
    if (!existing || existing.source === change.source) return false
    report.skipped.push({
      record: id,
      why: `the catalog has a change of that day already: ${existing.id}`,
    })
    return true
  }

  function compare(id: string, there: Change, change: Change) {
    for (const field of COMPARED) {
      if (change[field] === undefined || change[field] === there[field]) continue
      report.conflicts.push({
        path: `changes/${there.date.slice(0, 4)}/${id}.yaml`,
        field,
        curated: there[field] ?? null,
        curatedSources: [there.source],
        imported: change[field],
        importedSource: change.source,
      })
    }
  }
}

function dayKey({ tool, kind, date }: Change): string {
  return `${tool} ${kind} ${date}`
}
