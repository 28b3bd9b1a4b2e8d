import type {
  ImportDeps,
  ImportedRecord,
  Importer,
  Item,
  SkippedRecord,
  WrongValue,
} from '../../../src/catalog/importers/importer.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'

/** Everything that an importer says of a source. */
export async function collected(
  importer: Importer,
  source: string,
  more: Partial<ImportDeps> = {},
) {
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const now = Date.parse('2026-11-21T12:00:00Z')
  const items: Item[] = []
  for await (const item of importer.read(source, { fetch, now, progress() {}, ...more })) {
    items.push(item)
  }
  return {
    records: items.filter((it): it is ImportedRecord => 'tool' in it),
    skipped: items.filter((it): it is SkippedRecord => 'skipped' in it),
    wrong: items.filter((it): it is WrongValue => 'wrong' in it).map(({ wrong }) => wrong),
  }
}
