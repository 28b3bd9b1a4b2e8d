import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { METHODOLOGY_TEXT } from '../../../src/catalog/grading/default-methodology.ts'
import type { FileProblem } from '../../../src/catalog/records/problem.ts'
import { writeGeneratedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const FILE = 'desk/a-maker.yaml'

function review(findings: string, tools = 'tool-0000'): string {
  return `read: 2026-11-01\ntools: [${tools}]\nfindings:\n${findings}`
}

function finding(mark: string, more = 'date: 2026-10-01, dated: copy'): string {
  return `  - { mark: ${mark}, answer: "yes", says: It says so., url: "https://a.example/docs", ${more} }\n`
}

const ROWS: Array<[what: string, review: string, problem: Partial<FileProblem>]> = [
  [
    'a mark that the methodology does not have',
    review(finding('revocble')),
    { field: 'findings[0].mark', expected: 'a mark of the methodology; did you mean "revocable"?' },
  ],
  [
    'a tool that there is not',
    review(finding('revocable'), 'tool-9999'),
    { field: 'tools[0]', found: '"tool-9999"' },
  ],
  [
    'a mark answered twice for one tool',
    review(finding('revocable') + finding('revocable')),
    { field: 'findings[1].mark', expected: 'each mark once for tool-0000' },
  ],
  [
    'no date, and no word that it is not known',
    review(finding('revocable', 'dated: copy')),
    { field: 'findings[0].dated', expected: 'unknown, as there is no date' },
  ],
  [
    'a day of the future',
    review(finding('revocable', 'date: 2199-01-01, dated: document')),
    { field: 'findings[0].date', found: '"2199-01-01"' },
  ],
  [
    'an answer that is neither yes nor no',
    review(finding('revocable').replace('"yes"', '"maybe"')),
    { field: 'findings[0].answer', found: '"maybe"' },
  ],
]

test.each(ROWS)('%s is a problem with its place', async (_, text, expected) => {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 4)
  writeFileSync(join(folder.path, 'methodology.yaml'), METHODOLOGY_TEXT)
  const path = join(folder.path, FILE)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const { problems } = await loadFolder(folder.path)
  expect(problems).toMatchObject([{ file: FILE, ...expected }])
})
