import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import type { CatalogSource } from '../../../../src/catalog/authoring/catalog-source.ts'
import { loadFolder } from '../../../../src/catalog/authoring/load-folder.ts'
import { parseDocument } from '../../../../src/catalog/facts/openapi/parse-document.ts'
import { IMPORTERS } from '../../../../src/catalog/importers/all-importers.ts'
import type { Importer } from '../../../../src/catalog/importers/importer.ts'
import { repositoryLink } from '../../../../src/catalog/importers/npm/package-facts.ts'
import { planImport } from '../../../../src/catalog/importers/plan-import.ts'
import { slugFrom } from '../../../../src/catalog/importers/slug-from.ts'
import { vendorOf } from '../../../../src/catalog/importers/vendor-of.ts'
import { asLink } from '../../../../src/catalog/importers/words/as-link.ts'
import {
  oneSentence,
  plainParagraphs,
} from '../../../../src/catalog/importers/words/one-sentence.ts'
import { spdxOf } from '../../../../src/catalog/importers/words/spdx.ts'
import { Failure } from '../../../../src/platform/failure.ts'
import { parseYaml } from '../../../../src/platform/yaml/parse-yaml.ts'
import { NOW } from '../../../catalog/importers/import-world.ts'
import { writeCatalogFolder } from '../../../support/catalog-folder.ts'
import { asJsonText, mutatedBytes, mutatedText, nearly, ODD_VALUE } from '../mutate.ts'
import { must, parser, type Target } from '../target.ts'
import { CHECKS, YAML_PIECES } from './catalog-files.ts'
import { SOURCES } from './importer-sources.ts'

const WORDS: readonly [string, (input: unknown) => unknown][] = [
  ['one-sentence.ts#oneSentence', (input) => oneSentence(input)],
  ['spdx.ts#spdxOf', spdxOf],
  ['as-link.ts#asLink', asLink],
  ['../npm/package-facts.ts#repositoryLink', repositoryLink],
  ['one-sentence.ts#plainParagraphs', (input) => plainParagraphs(String(JSON.stringify(input)))],
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

let loading: Promise<CatalogSource> | undefined
async function emptyCatalog(): Promise<CatalogSource> {
  const path = join(folder, 'catalog')
  writeCatalogFolder(path, {})
  const { source, problems } = await loadFolder(path)
  if (!source) throw new Error(JSON.stringify(problems))
  return source
}

const readText = (path: string) => readFileSync(join(folder, 'catalog', path), 'utf8')

/** Of one importer: whatever stands in its source, what it would write is a catalog in order. */
function importer(one: Importer): Target {
  const { file, texts, beside = {}, pieces = YAML_PIECES } = SOURCES[one.name] ?? {}
  if (!file || !texts) throw new Error(`${one.name} has no source here`)
  const isJson = file.endsWith('.json') || file.startsWith('npm:')
  const input = isJson
    ? fc.oneof(
        { weight: 4, arbitrary: asJsonText(nearly(...texts.map((text) => JSON.parse(text)))) },
        { weight: 1, arbitrary: mutatedText(texts) },
      )
    : mutatedText(texts, pieces)
  return parser(`import: ${one.name}`, [`importer ${one.name}`], input, async (text) => {
    const at = join(folder, one.name)
    const path = join(at, file)
    loading ??= emptyCatalog()
    const catalog = await loading
    let source = path
    if (file.startsWith('npm:')) source = 'npm:resend'
    else {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      for (const [name, good] of Object.entries(beside)) writeFileSync(join(at, name), good)
      if (!file.endsWith('.json') || one.name === 'x402-partners') source = at
    }
    one.recognises(source)
    const answer = { outcome: 'answered', status: 200, headers: new Headers(), cut: false } as const
    const fetch = async () => ({ ...answer, body: new TextEncoder().encode(text) })
    const options = { registry: 'https://registry.invalid' }
    const deps = { fetch, now: NOW, progress() {}, options }
    const about = { importer: one, source }
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

export const IMPORTER_TARGETS: readonly Target[] = [
  parser(
    'import: words of a source',
    WORDS.map(([name]) => `src/catalog/importers/words/${name}`),
    fc.oneof(mutatedText(LINKS), ODD_VALUE),
    (input) => {
      for (const [, read] of WORDS) read(input)
      const text = String(JSON.stringify(input))
      must(/^[a-z0-9-]*$/.test(slugFrom(text)), `no slug: ${slugFrom(text)}`)
      vendorOf(text)
      vendorOf(typeof input === 'string' ? input : undefined)
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
      return IMPORTERS.some((candidate) => candidate.recognises(safe)) ? 'taken' : 'refused'
    },
  ),
  parser(
    'import: an OpenAPI document',
    ['src/catalog/facts/openapi/parse-document.ts#parseDocument'],
    mutatedBytes(...SOURCES.openapi.texts.map((text) => new TextEncoder().encode(text))),
    (bytes) => ('document' in parseDocument(bytes) ? 'taken' : 'refused'),
  ),
  ...IMPORTERS.map(importer),
]

export const IMPORTER_NAMES = IMPORTERS.map(({ name }) => name)
