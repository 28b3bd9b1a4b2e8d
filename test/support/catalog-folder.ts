import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { METHODOLOGY_TEXT } from '../../src/catalog/grading/default-methodology.ts'

const BESIDE = {
  'catalog.yaml': `name: Tools
attribution: Tools of a test
run: { date: 2026-11-01, label: November }
categories: [{ id: messaging, name: Messaging, area: communication }]
`,
  'vendors/example.yaml': 'name: Example\nurl: https://example.com\n',
  'methodology.yaml': METHODOLOGY_TEXT,
}

/** A catalog's folder with one vendor, `example`, the methodology of the program, and `files`. */
export function writeCatalogFolder(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries({ ...BESIDE, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
