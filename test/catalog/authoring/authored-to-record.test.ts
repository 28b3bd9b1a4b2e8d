import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { fileCheck } from '../../../src/catalog/authoring/check-file.ts'
import { toToolRecord } from '../../../src/catalog/authoring/to-tool-record.ts'
import { AuthoredTool } from '../../../src/catalog/records/authored.ts'
import { CRITERIA } from '../../../src/catalog/records/grading.ts'
import { ToolDetail, ToolRecord } from '../../../src/catalog/records/tool.ts'
import { AUTHS, KINDS, PLACES, PRICINGS } from '../../../src/catalog/records/tool-fields.ts'
import { shape } from '../../../src/platform/schema.ts'
import { cleanText } from '../../../src/platform/text.ts'
import { parseYaml } from '../../../src/platform/yaml/parse-yaml.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { howOften } from '../../support/share.ts'
import { detailOf } from '../snapshot-of.ts'

const HOSTILE = [
  '<script>x</script>',
  '[a](javascript:1)',
  '# h',
  'yes',
  '1.0',
  '~',
  '- a',
  'a: b',
  '{{x}}',
  '\n---\n',
]
const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'grapheme', maxLength: 80 }).map((it) => cleanText(it)),
)
const filledText = anyText.filter((it) => it.length > 0)
const aDay = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((it) => it.toISOString().slice(0, 10))
const aLink = fc
  .webUrl({ withQueryParameters: true })
  .filter((it) => /^https?:\/\/[^\s"<>\\@]*$/.test(it))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const words = (list: readonly string[]) => fc.constantFrom(...list)
const aCount = fc.option(fc.nat(), { nil: null })

const aTool = fc
  .record({
    name: filledText,
    vendor: fc.constant('vendor-0'),
    kind: words(KINDS),
    category: fc.constant('messaging'),
    summary: filledText,
    homepage: maybe(aLink),
    repo: maybe(aLink),
    remoteUrl: maybe(aLink),
    license: maybe(anyText),
    transports: maybe(fc.array(words(['http', 'stdio']), { maxLength: 3 })),
    packages: maybe(
      fc.array(
        fc.record({
          registry: words(['npm', 'pypi', 'oci']),
          name: fc.stringMatching(/^[@a-z0-9._/-]{1,30}$/),
        }),
        { maxLength: 3 },
      ),
    ),
    auth: words(AUTHS),
    authNotes: maybe(anyText),
    pricing: words(PRICINGS),
    where: words(PLACES),
    x402: maybe(
      fc.record({
        level: words(['yes', 'partial']),
        evidence: anyText,
        source: aLink,
        endpoints: fc.array(
          fc.record({
            url: aLink,
            priceUsd: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
            network: anyText,
          }),
          { maxLength: 3 },
        ),
      }),
    ),
    toolCount: maybe(aCount),
    popularity: maybe(fc.record({ githubStars: aCount, npmWeekly: aCount, asOf: aDay })),
    tags: maybe(fc.array(filledText, { maxLength: 3 })),
    lastRelease: maybe(aDay),
    unitPrices: maybe(
      fc.array(
        fc.record({
          item: filledText,
          unit: filledText,
          usd: fc.double({ min: 0, max: 1e6, noNaN: true }),
          source: aLink,
        }),
        { maxLength: 3 },
      ),
    ),
    scores: maybe(
      fc.dictionary(
        words(CRITERIA),
        fc.record({ score: fc.integer({ min: 0, max: 10 }), reason: filledText }),
      ),
    ),
    strengths: maybe(fc.array(anyText, { maxLength: 3 })),
    sources: maybe(
      fc.array(
        fc.record({
          url: aLink,
          read: aDay,
          facts: fc.array(fc.constant('pricing'), { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    ),
  })
  .map((it) => JSON.parse(JSON.stringify(it)))

test('what a curator writes is read back as it was, and becomes a record of the spec', () => {
  const source = generatedCatalog(1)
  const check = fileCheck(AuthoredTool)
  const [record, detail] = [shape(ToolRecord), shape(ToolDetail)]
  fc.assert(
    fc.property(aTool, (tool) => {
      const parsed = parseYaml('tools/x.yaml', stringify(tool))
      if (Array.isArray(parsed)) throw new Error(JSON.stringify(parsed))
      expect(parsed.value).toEqual(tool)
      expect(check(parsed) as unknown).toBe(parsed.value)
      const details = detailOf(source, { ...tool, slug: 'x' })
      expect(detail.wrong(details)).toEqual([])
      expect(record.wrong(toToolRecord(details))).toEqual([])
    }),
    { numRuns: howOften(30, 300) },
  )
})

test('no text whatever makes the reader throw', () => {
  const check = fileCheck(AuthoredTool)
  const pieces = fc.constantFrom(
    'a',
    ': ',
    '- ',
    '\n',
    '  ',
    '&a ',
    '*a',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '|',
    '>',
    '!',
    '%',
    '#',
    '? ',
    '---',
    '\t',
    '\u0000',
    '🦊',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const parsed = parseYaml('f', parts.join(''))
      const problems = Array.isArray(parsed) ? parsed : check(parsed)
      expect(problems).toBeArray()
      for (const { line } of problems as Array<{ line: number }>) expect(line).toBeGreaterThan(0)
    }),
    { numRuns: howOften(200, 2000) },
  )
})

test('a sample command is one word of the shell for each of its parts', () => {
  const source = generatedCatalog(1)
  const [base] = source.tools
  if (!base) throw new Error('no tool')
  const remoteUrl = "https://a.example/?x=1&y=$(touch+/tmp/x)';id;'"
  const { connect } = detailOf(source, { ...base, kind: 'mcp', remoteUrl })
  const shell = Bun.spawnSync([
    'sh',
    '-c',
    `claude() { printf '%s\\n' "$@"; }; ${connect.claudeCode}`,
  ])
  expect(shell.stdout.toString().split('\n')[5]).toBe(remoteUrl)
})
