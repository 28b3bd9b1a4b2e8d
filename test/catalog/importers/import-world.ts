import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import type {
  ImportDeps,
  ImportedRecord,
  Importer,
  Item,
} from '../../../src/catalog/importers/importer.ts'
import { type PlanOptions, planImport } from '../../../src/catalog/importers/plan-import.ts'
import { writePlan } from '../../../src/catalog/importers/write-plan.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'

export const NOW = Date.parse('2026-11-21T12:00:00Z')

/** An importer that says what it is told to. */
export function importerOf(...items: Item[]): Importer {
  return importerNamed('of-a-test', ...items)
}

export function importerNamed(name: string, ...items: Item[]): Importer {
  return {
    name,
    about: 'a test',
    recognises: () => false,
    async *read() {
      yield* items
    },
  }
}

/** A record of it; `tool` as wanted. */
export function record(slug: string, tool: Partial<ImportedRecord['tool']> = {}): ImportedRecord {
  const facts = {
    name: slug,
    summary: `It is ${slug}.`,
    homepage: `https://${slug}.example`,
    repo: `https://github.com/ada/${slug}`,
    ...tool,
  }
  const paths = Object.fromEntries(Object.keys(facts).map((field) => [field, field]))
  return {
    ...{ slug, tool: { kind: 'http-api', ...facts } },
    from: {
      url: `https://list.example/${slug}`,
      id: slug,
      read: '2026-11-21',
      paths,
    },
  }
}

/** What would be written. */
export async function planned(folder: string, importer: Importer) {
  const { source: catalog } = await loadFolder(folder)
  if (!catalog) throw new Error('The folder is not in order.')
  const { fetch } = createGuardedFetch()
  return await planImport(
    catalog,
    { importer, source: 'source' },
    { fetch, now: NOW, progress: () => {} },
    { readText: (path) => readFileSync(join(folder, path), 'utf8') },
  )
}

/** Imports into a folder, which must be in order before and after. */
export async function importInto(
  folder: string,
  importer: Importer,
  {
    source = 'source',
    dry = false,
    now = NOW,
    since,
    ...options
  }: Partial<PlanOptions> & {
    source?: string
    dry?: boolean
    now?: number
    since?: string
  } = {},
) {
  const { source: catalog, problems } = await loadFolder(folder)
  if (!catalog) throw new Error(`before: ${JSON.stringify(problems)}`)
  const { fetch } = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'] })
  const deps: ImportDeps = { fetch, now, progress: () => {}, ...(since ? { since } : {}) }
  const plan = await planImport(catalog, { importer, source }, deps, {
    readText: (path) => readFileSync(join(folder, path), 'utf8'),
    ...options,
  })
  const paths = dry ? [] : writePlan(folder, plan, () => {})
  const after = await loadFolder(folder)
  if (!after.source) throw new Error(`after: ${JSON.stringify(after.problems)}`)
  return { report: plan.report, files: [...plan.files.keys()], paths, catalog: after.source }
}
