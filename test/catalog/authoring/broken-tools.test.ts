import { expect, test } from 'bun:test'
import { type BrokenFile, problemsWith } from '../../support/broken-folder.ts'

const WEB_ADDRESS = 'a web address that starts with https:// or http://, other letters as %C3%BC'

const TOOL = 'tools/tool-0000.yaml'

const ROWS: BrokenFile[] = [
  ['no settings', 'catalog.yaml', '', { line: 1, expected: 'a mapping', found: 'an empty value' }],
  [
    'an unknown key',
    TOOL,
    ['docsUrl:', 'docUrl:'],
    {
      line: 7,
      field: 'docUrl',
      expected: 'a known field; did you mean "docsUrl"?',
      found: '"docUrl"',
    },
  ],
  [
    'a missing field',
    TOOL,
    [/^summary:.*\n/m, ''],
    {
      line: 1,
      field: 'summary',
      expected: 'text of at most 500 characters, not empty',
      found: 'nothing',
    },
  ],
  [
    'a criterion that is said not to apply, which the methodology does not allow',
    TOOL,
    [/^scores:\n/m, 'scores:\n  tasks: { state: not-applicable, reason: "Too hard." }\n'],
    { line: 46, column: 12, field: 'scores.tasks.state', found: '"not-applicable"' },
  ],
  [
    'a network that is no chain id',
    TOOL,
    [/network: .*/, 'network: base'],
    { expected: 'a chain id, such as eip155:8453, or an empty text', found: '"base"' },
  ],
  [
    'a day that is not in the calendar',
    TOOL,
    [/^sources:/m, 'models:\n  a: { knowledge: 2025-02-31 }\nsources:'],
    { field: 'models.a.knowledge', expected: 'a real day, such as 2026-01-31' },
  ],
  [
    'a release of tomorrow',
    TOOL,
    [/^lastRelease: .*/m, 'lastRelease: 2199-01-01'],
    { field: 'lastRelease', found: '"2199-01-01"' },
  ],
  [
    'a run of the future',
    'catalog.yaml',
    [/date: .*/, 'date: 2199-01-01'],
    { field: 'run.date', found: '"2199-01-01"' },
  ],
  [
    'a number for text',
    TOOL,
    [/^name:.*/m, 'name: 42'],
    { line: 1, field: 'name', found: 'the number 42 (text needs quotes)' },
  ],
  [
    'an unknown kind',
    TOOL,
    ['kind: http-api', 'kind: http-ap'],
    {
      line: 3,
      field: 'kind',
      expected:
        'one of framework, model, http-api, mcp, protocol, platform, unknown; did you mean "http-api"?',
      found: '"http-ap"',
    },
  ],
  [
    'an unknown vendor',
    TOOL,
    ['vendor: vendor-0', 'vendor: vendor-o'],
    {
      line: 2,
      field: 'vendor',
      expected: 'the name of a file in vendors/; did you mean "vendor-0"?',
      found: '"vendor-o"',
    },
  ],
  [
    'an unknown category',
    TOOL,
    ['category: messaging', 'category: mesaging'],
    {
      line: 4,
      field: 'category',
      expected: 'a category of catalog.yaml; did you mean "messaging"?',
    },
  ],
  [
    'a capability without a dot',
    TOOL,
    ['messaging.sends', 'sends'],
    {
      field: 'capabilities[0]',
      expected: 'a dotted name, such as email.send of at most 100 characters',
    },
  ],
  [
    'a capability outside the vocabulary',
    'catalog.yaml',
    [/$/, 'capabilities:\n  - id: mail.send\n    description: Sends.\n'],
    { file: TOOL, field: 'capabilities[0]', expected: 'a capability of catalog.yaml' },
  ],
  [
    'a capability twice',
    TOOL,
    ['- messaging.sends', '- messaging.sends\n  - messaging.sends'],
    { field: 'capabilities[1]', expected: 'each capability once' },
  ],
  [
    'an address that a browser runs',
    TOOL,
    [/homepage: .*/, 'homepage: javascript:alert(1)'],
    { line: 6, field: 'homepage', expected: WEB_ADDRESS },
  ],
  [
    'an address with a password',
    TOOL,
    [/homepage: .*/, 'homepage: https://a:b@c.example/'],
    { line: 6, field: 'homepage' },
  ],
  [
    'an address with markup',
    TOOL,
    [/homepage: .*/, "homepage: 'https://c.example/\"><script>'"],
    { line: 6, field: 'homepage' },
  ],
  [
    'a package with shell signs',
    TOOL,
    [/name: "@vendor\/tool-0000"/, 'name: "x; rm -rf ~"'],
    {
      field: 'packages[0].name',
      expected:
        'the name of a package, without spaces or signs of the shell of at most 300 characters',
    },
  ],
  [
    'a day that is none',
    TOOL,
    ['asOf: 2026-11-01', 'asOf: 2026-02-30'],
    { field: 'popularity.asOf', expected: 'a real day, such as 2026-01-31', found: '"2026-02-30"' },
  ],
  [
    'a negative count',
    TOOL,
    ['githubStars: 0', 'githubStars: -1'],
    {
      field: 'popularity.githubStars',
      expected: 'a whole number of at least 0, or nothing (leave it out)',
      found: 'the number -1',
    },
  ],
  [
    'a price without a source',
    TOOL,
    [/(usd: 0)\n {4}source: .*\n/, '$1\n'],
    {
      field: 'unitPrices[0].source',
      expected: WEB_ADDRESS,
      found: 'nothing',
    },
  ],
  [
    'a price in words',
    TOOL,
    ['usd: 0', 'usd: free'],
    { field: 'unitPrices[0].usd', expected: 'a number of at least 0', found: '"free"' },
  ],
  [
    'a price that is no number',
    TOOL,
    ['usd: 0', 'usd: .inf'],
    { field: 'unitPrices[0].usd', expected: 'a number of at least 0' },
  ],
  [
    'a paid address whose price has no source',
    TOOL,
    [/(It answers 402\.)\n {2}source: .*\n/, '$1\n'],
    { field: 'x402.endpoints[0].source', expected: 'where the price was read', found: 'nothing' },
  ],
  [
    'a level without evidence or an address that could show it',
    TOOL,
    [/ {2}evidence: It answers 402\.\n( {2}source: .*\n)? {2}endpoints:\n( {4}.*\n)+/, ''],
    { field: 'x402.evidence', expected: 'what shows the level "yes"' },
  ],
  [
    'paid addresses with the level no',
    TOOL,
    ['level: yes', 'level: no'],
    { field: 'x402.endpoints', expected: 'no endpoints with the level "no"' },
  ],
  [
    'a score without a reason',
    TOOL,
    [/(security:\n {4}score: 0\n) {4}reason: .*\n/, '$1'],
    {
      field: 'scores.security.reason',
      expected: 'text of at most 2000 characters, not empty',
      found: 'nothing',
    },
  ],
  [
    'a score above ten',
    TOOL,
    [/(security:\n {4}score:) 0/, '$1 11'],
    {
      field: 'scores.security.score',
      expected: 'a whole number from 0 to 10',
      found: 'the number 11',
    },
  ],
  [
    'half a score',
    TOOL,
    [/(security:\n {4}score:) 0/, '$1 7.5'],
    { field: 'scores.security.score', found: 'the number 7.5' },
  ],
  [
    'neither score nor state',
    TOOL,
    [/(security:\n) {4}score: 0\n/, '$1'],
    { field: 'scores.security.score', expected: 'a score from 0 to 10, or a state' },
  ],
  [
    'a score and a state',
    TOOL,
    [/(security:\n)/, '$1    state: pending\n'],
    { field: 'scores.security.state', expected: 'either a score or a state', found: 'both' },
  ],
  [
    'an unknown criterion',
    TOOL,
    [/ {2}security:\n/, '  securty:\n'],
    { field: 'scores.securty', expected: 'a known field; did you mean "security"?' },
  ],
  [
    'scores without an assessment',
    TOOL,
    [/^assessment:\n.*\n.*\n/m, ''],
    { field: 'assessment', expected: 'the confidence and the day of the scores' },
  ],
]

for (const row of ROWS) {
  const [what, file, , problem] = row
  test(`${what} is said with its file, line, field and what was expected`, async () => {
    expect(await problemsWith(row)).toContainEqual(expect.objectContaining({ file, ...problem }))
  })
}
