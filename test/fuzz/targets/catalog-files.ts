import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { METHODOLOGY_TEXT } from '../../../src/catalog/grading/default-methodology.ts'
import { IMPORTERS } from '../../../src/catalog/importers/all-importers.ts'
import { setItem } from '../../../src/catalog/importers/edit-list.ts'
import { setFields } from '../../../src/catalog/importers/edit-yaml.ts'
import type { Importer } from '../../../src/catalog/importers/importer.ts'
import { parseDocument } from '../../../src/catalog/importers/openapi/parse-document.ts'
import { planImport } from '../../../src/catalog/importers/plan-import.ts'
import { slugFrom } from '../../../src/catalog/importers/slug-from.ts'
import { vendorOf } from '../../../src/catalog/importers/vendor-of.ts'
import { asLink } from '../../../src/catalog/importers/words/as-link.ts'
import { oneSentence } from '../../../src/catalog/importers/words/one-sentence.ts'
import { plainParagraphs } from '../../../src/catalog/importers/words/plain-text.ts'
import { repositoryLink } from '../../../src/catalog/importers/words/repository.ts'
import { spdxOf } from '../../../src/catalog/importers/words/spdx.ts'
import {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
} from '../../../src/catalog/record/authored.ts'
import { Methodology } from '../../../src/catalog/record/methodology.ts'
import type { Problem } from '../../../src/catalog/record/problem.ts'
import { isDay } from '../../../src/catalog/record/words.ts'
import type { CatalogSource } from '../../../src/catalog/source/catalog-source.ts'
import { fileCheck } from '../../../src/catalog/source/check-file.ts'
import { loadFolder } from '../../../src/catalog/source/load-folder.ts'
import { parseJson } from '../../../src/catalog/source/parse-json.ts'
import { parseYaml } from '../../../src/catalog/source/parse-yaml.ts'
import { readToolText } from '../../../src/catalog/source/read-tool-text.ts'
import { exampleTexts } from '../../../src/cli/catalog/example-files.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { NOW } from '../../catalog/importers/import-world.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { asJsonText, mutatedBytes, mutatedText, nearly, ODD_VALUE } from '../mutate.ts'
import { type Became, must, parser, type Target } from '../target.ts'
import { SOURCES } from './importer-sources.ts'

const TEXTS = exampleTexts()
const ofFolder = (folder: string) =>
  [...TEXTS].filter(([path]) => path.startsWith(folder)).map(([, text]) => text)
const YAML_PIECES = [
  ...[
    ': ',
    '- ',
    '\n',
    '\n  ',
    '#',
    '"',
    "'",
    '|',
    '>',
    '>-',
    '&a ',
    '*a',
    '<<: ',
    '!!binary ',
    '---\n',
  ],
  ...[
    '...\n',
    '{',
    '}',
    '[',
    ']',
    '? ',
    '\t',
    '~',
    'null',
    'true',
    '0x1F',
    '.inf',
    '2026-02-30',
    '%YAML 1.1\n',
  ],
]
const CHECKS = {
  tool: fileCheck(AuthoredTool),
  vendor: fileCheck(AuthoredVendor),
  change: fileCheck(AuthoredChange),
  methodology: fileCheck(Methodology),
}

/** Problems name the file, a line of it, and what was expected. */
function fitProblems(problems: readonly Problem[], text: string): Became {
  const lines = text.split('\n').length
  must(problems.length > 0, 'refused without a problem')
  for (const { file, line, expected } of problems) {
    must(file !== '' && expected !== '', `says too little: ${JSON.stringify(problems)}`)
    must(line >= 1 && line <= lines + 1, `names line ${line} of ${lines}`)
  }
  return 'refused'
}

function record(name: keyof typeof CHECKS, texts: readonly string[]): Target {
  return parser(
    `catalog: YAML of a ${name}`,
    ['src/catalog/source/parse-yaml.ts#parseYaml'],
    mutatedText(texts, YAML_PIECES),
    (text) => {
      const parsed = parseYaml('x.yaml', text)
      if (Array.isArray(parsed)) return fitProblems(parsed, text)
      const value = CHECKS[name](parsed)
      if (value === parsed.value) {
        parsed.lines()
        return 'taken'
      }
      return fitProblems(value as Problem[], text)
    },
  )
}

const WORDS: readonly [string, (given: unknown) => unknown][] = [
  ['one-sentence.ts#oneSentence', (given) => oneSentence(given)],
  ['spdx.ts#spdxOf', spdxOf],
  ['as-link.ts#asLink', asLink],
  ['repository.ts#repositoryLink', repositoryLink],
  ['plain-text.ts#plainParagraphs', (given) => plainParagraphs(String(JSON.stringify(given)))],
]
const LINKS = [
  'https://a.example/b',
  'git+https://github.com/a/b.git#x',
  'github:a/b',
  'MIT OR Apache-2.0',
  'See LICENSE. It does <b>things</b>. More.',
  '(MIT AND BSD-3-Clause)',
]

/** Where importers read files from; one file at a time. */
const folder = mkdtempSync(join(tmpdir(), 'beckon-fuzz-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

let known: Promise<CatalogSource> | undefined
async function emptyCatalog(): Promise<CatalogSource> {
  const path = join(folder, 'catalog')
  writeCatalogFolder(path, {})
  const { source, problems } = await loadFolder(path)
  if (!source) throw new Error(JSON.stringify(problems))
  return source
}

const readText = (path: string) => readFileSync(join(folder, 'catalog', path), 'utf8')

/** Of one importer: whatever stands in its source, what it would write is a catalog in order. */
function importer(made: Importer): Target {
  const { file, texts, pieces = YAML_PIECES } = SOURCES[made.name] ?? {}
  if (!file || !texts) throw new Error(`${made.name} has no source here`)
  const isJson = file.endsWith('.json') || file.startsWith('npm:')
  const input = isJson
    ? fc.oneof(
        { weight: 4, arbitrary: asJsonText(nearly(...texts.map((text) => JSON.parse(text)))) },
        { weight: 1, arbitrary: mutatedText(texts) },
      )
    : mutatedText(texts, pieces)
  return parser(`import: ${made.name}`, [`importer ${made.name}`], input, async (text) => {
    const at = join(folder, made.name)
    const path = join(at, file)
    known ??= emptyCatalog()
    const catalog = await known
    let source = path
    if (file.startsWith('npm:')) source = 'npm:resend'
    else {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      if (!file.endsWith('.json') || made.name === 'x402-partners') source = at
    }
    made.recognises(source)
    const answer = { outcome: 'answered', status: 200, headers: new Headers(), cut: false } as const
    const fetch = async () => ({ ...answer, body: new TextEncoder().encode(text) })
    const deps = { fetch, now: NOW, progress() {}, registry: 'https://registry.invalid' }
    const about = { importer: made, source }
    try {
      const { files } = await planImport(catalog, about, deps, { stubs: true, readText })
      for (const [name, { after }] of files) fitFile(name, after)
      return files.size > 0 ? 'taken' : 'refused'
    } catch (error) {
      // Said to whoever typed the source: it has no fields.
      if (error instanceof Failure && error.message.includes('imported')) return 'refused'
      throw error
    }
  })
}

/** What an importer writes can be read by the lint. */
function fitFile(path: string, text: string): void {
  const parsed = parseYaml(path, text)
  must(!Array.isArray(parsed), `wrote what cannot be read: ${path}\n${text}`)
  if (Array.isArray(parsed) || !path.startsWith('tools/')) return
  const checked = CHECKS.tool(parsed)
  must(checked === parsed.value, `wrote a record that is none: ${JSON.stringify(checked)}\n${text}`)
}

export const CATALOG_FILE_TARGETS: readonly Target[] = [
  record(
    'tool',
    ofFolder('tools/')
      .filter((text) => text.includes('vendor:'))
      .slice(0, 12),
  ),
  record('vendor', ofFolder('vendors/').slice(0, 6)),
  record('change', ofFolder('changes/').slice(0, 6)),
  record('methodology', [METHODOLOGY_TEXT]),
  parser(
    'catalog: JSON with lines',
    ['src/catalog/source/parse-json.ts#parseJson'],
    asJsonText(nearly({ id: 'r', tool: 'x', rating: 4, body: 'Good.\n\tYes' })),
    (text) => {
      const parsed = parseJson('x.json', text)
      return Array.isArray(parsed) ? fitProblems(parsed, text) : 'taken'
    },
  ),
  parser(
    'catalog: text of a tool',
    [
      'src/catalog/source/read-tool-text.ts#readToolText',
      'src/catalog/source/check-file.ts#unsafeIn',
    ],
    mutatedText(
      ['# X\n\n## Verdict\n\nGood.\n\n## Notes\n\n- a\n- b\n\n## Agent notes\n\nc\n'],
      ['## ', '# ', '- ', '\n', '\n\n', 'Verdict', 'Notes', '\u202e', '\r\n'],
    ),
    (text) => {
      const read = readToolText('x.md', text)
      return Array.isArray(read) ? fitProblems(read, text) : 'taken'
    },
  ),
  parser(
    'catalog: a field set in YAML',
    ['src/catalog/importers/edit-yaml.ts#setFields', 'src/catalog/importers/edit-list.ts#setItem'],
    fc.tuple(
      mutatedText(ofFolder('tools/').slice(0, 6), YAML_PIECES),
      ODD_VALUE,
      fc.constantFrom('summary', 'tags', 'new'),
    ),
    ([text, value, field]) => {
      const before = parseYaml('', text)
      // Only what is in order is edited, and only with what JSON can say.
      if (
        Array.isArray(before) ||
        before.value === null ||
        typeof before.value !== 'object' ||
        Array.isArray(before.value)
      )
        return 'refused'
      if (/[[{]([^\]}]*[[{]){9}|__proto__/.test(JSON.stringify(value))) return 'refused'
      const after = parseYaml('', setFields(text, [{ field, value }]))
      must(!Array.isArray(after), `cannot be read after ${field}: ${JSON.stringify(after)}`)
      const listed = parseYaml(
        '',
        setItem(text, { field: 'sources', item: { url: 'https://a.example', read: '2026-11-21' } }),
      )
      must(!Array.isArray(listed), `cannot be read after an item: ${JSON.stringify(listed)}`)
      return 'taken'
    },
  ),
  parser(
    'import: words of a source',
    WORDS.map(([name]) => `src/catalog/importers/words/${name}`),
    fc.oneof(mutatedText(LINKS), ODD_VALUE),
    (given) => {
      for (const [, read] of WORDS) read(given)
      const text = String(JSON.stringify(given))
      must(/^[a-z0-9-]*$/.test(slugFrom(text)), `no slug: ${slugFrom(text)}`)
      vendorOf(text)
      vendorOf(typeof given === 'string' ? given : undefined)
      return 'taken'
    },
  ),
  parser(
    'import: which importer it is for',
    ['importers recognise'],
    mutatedText([
      'https://registry.x/v0/servers',
      'https://a/tools.json',
      'npm:resend',
      'https://a/discovery/resources',
      './folder',
      'openapi:https://a/openapi.json',
    ]),
    (source) => {
      // Nothing of this machine is walked through.
      const isThere = !/^(https?|npm|openapi):/i.test(source)
      const safe = isThere
        ? join(folder, 'none', encodeURIComponent(source.toWellFormed()))
        : source
      return IMPORTERS.some((made) => made.recognises(safe)) ? 'taken' : 'refused'
    },
  ),
  parser(
    'import: an OpenAPI document',
    ['src/catalog/importers/openapi/parse-document.ts#parseDocument'],
    mutatedBytes(...SOURCES.openapi.texts.map((text) => new TextEncoder().encode(text))),
    (bytes) => ('document' in parseDocument(bytes) ? 'taken' : 'refused'),
  ),
  parser(
    'catalog: days',
    ['src/catalog/record/words.ts#isDay'],
    mutatedText(['2026-02-28', '2024-02-29'], ['0', '1', '9', '-', '+']),
    (text) => {
      const is = isDay(text)
      if (is) must(new Date(`${text}T00:00:00Z`).toISOString().startsWith(text), `no day: ${text}`)
      return is ? 'taken' : 'refused'
    },
  ),
  ...IMPORTERS.map(importer),
]

export const IMPORTER_NAMES = IMPORTERS.map(({ name }) => name)
