import { expect, test } from 'bun:test'
import { type BrokenFile, problemsWith } from '../../support/broken-folder.ts'

const TOOL = 'tools/tool-0000.yaml'
const VENDOR = 'vendors/vendor-0.yaml'
const CHANGE = 'changes/2026/change-0000.yaml'
const REVIEW = 'reviews/tool-0000/review-0.json'
const VENDOR_TEXT = 'name: V\nurl: https://v.example\n'

const ROWS: BrokenFile[] = [
  [
    'a deduction without a source',
    TOOL,
    [
      /$/,
      'negatives:\n  - { code: breach, points: -5, reason: x, date: 2026-01-01, expires: 2027-01-01 }\n',
    ],
    { field: 'negatives[0].source', found: 'nothing' },
  ],
  [
    'an unknown deduction',
    TOOL,
    [
      /$/,
      'negatives:\n  - { code: breech, points: -5, reason: x, source: "https://a.example", date: 2026-01-01, expires: 2027-01-01 }\n',
    ],
    {
      field: 'negatives[0].code',
      expected: 'a deduction of the methodology; did you mean "breach"?',
    },
  ],
  [
    'a deduction larger than its code',
    TOOL,
    [
      /$/,
      'negatives:\n  - { code: breach, points: -20, reason: x, source: "https://a.example", date: 2026-01-01, expires: 2027-01-01 }\n',
    ],
    { field: 'negatives[0].points', expected: 'at least -15' },
  ],
  [
    'a deduction that ends before it starts',
    TOOL,
    [
      /$/,
      'negatives:\n  - { code: breach, points: -5, reason: x, source: "https://a.example", date: 2026-01-02, expires: 2026-01-01 }\n',
    ],
    { field: 'negatives[0].expires', expected: 'a day from 2026-01-02 on' },
  ],
  [
    'an unknown gate',
    TOOL,
    [
      /$/,
      'gates:\n  - { code: archive, reason: x, source: "https://a.example", date: 2026-01-02 }\n',
    ],
    { field: 'gates[0].code', expected: 'a gate of the methodology; did you mean "archived"?' },
  ],
  [
    'a slug that is not the file name',
    TOOL,
    [/^/, 'slug: other\n'],
    { line: 1, field: 'slug', expected: '"tool-0000", the name of the file', found: '"other"' },
  ],
  [
    'a file name that is no slug',
    'vendors/Big_Vendor.yaml',
    VENDOR_TEXT,
    {
      line: 0,
      field: '',
      expected: 'small letters, digits and single hyphens as name, at most 64',
      found: '"Big_Vendor"',
    },
  ],
  [
    'another ending',
    'tools/x.yml',
    'name: x\n',
    { line: 0, expected: 'tools/SLUG.yaml or tools/SLUG.md', found: 'another file' },
  ],
  [
    'a folder among tools',
    'tools/x/y.yaml',
    'name: x\n',
    { file: 'tools/x', expected: 'tools/SLUG.yaml or tools/SLUG.md', found: 'a folder' },
  ],
  [
    'a change without a source',
    CHANGE,
    [/^source: .*\n/m, ''],
    { line: 1, field: 'source', found: 'nothing' },
  ],
  [
    'a change of an unknown tool',
    CHANGE,
    ['tool: tool-0000', 'tool: tool-000'],
    {
      field: 'tool',
      expected: 'the slug of a tool; did you mean "tool-0000"?',
      found: '"tool-000"',
    },
  ],
  [
    'a change of another year',
    CHANGE,
    [/^date: .*/m, 'date: 2027-01-01'],
    { field: 'date', expected: 'a day of "2026", the folder' },
  ],
  [
    'the end of a part that is called a shutdown',
    CHANGE,
    ['kind: notice', 'kind: shutdown\nendsPart: Version 1'],
    { field: 'kind', expected: 'notice, as only a part ends', found: 'shutdown' },
  ],
  [
    'an id in two years',
    'changes/2027/change-0000.yaml',
    'date: 2027-01-01\nkind: notice\ntool: tool-0000\nwhat: x\nsource: https://a.example\n',
    { expected: 'an id that no other change has', found: 'that of changes/2026/change-0000.yaml' },
  ],
  [
    'an unknown kind of change',
    CHANGE,
    ['kind: notice', 'kind: notise'],
    {
      field: 'kind',
      expected: 'one of shutdown, breaking, rename, notice, price, removal; did you mean "notice"?',
    },
  ],
  [
    'a change of a removed tool without a name',
    CHANGE,
    ['tool: tool-0000', 'tool: tool-gone'],
    { field: 'name', expected: 'the name, as its record is removed' },
  ],
  [
    'a removed slug in use',
    'removed.yaml',
    ['slug: tool-gone', 'slug: tool-0000'],
    {
      line: 1,
      field: '[0].slug',
      expected: 'a slug that no tool has: it is never used again',
      found: '"tool-0000"',
    },
  ],
  [
    'a slug removed twice',
    'removed.yaml',
    ['tool-old-name', 'tool-gone'],
    { field: '[1].slug', expected: 'each slug once' },
  ],
  [
    'a rename to nothing',
    'removed.yaml',
    ['renamedTo: tool-0000', 'renamedTo: tool-9999'],
    { line: 8, field: '[1].renamedTo', expected: 'the slug of a tool', found: '"tool-9999"' },
  ],
  [
    'a rename in a circle',
    'removed.yaml',
    ['renamedTo: tool-0000', 'renamedTo: tool-old-name'],
    { field: '[1].renamedTo' },
  ],
  [
    'an unknown replacement',
    'removed.yaml',
    ['replacement: tool-0000', 'replacement: tool-xxxx'],
    { field: '[0].replacement' },
  ],
  [
    'a review of an unknown tool',
    'reviews/tool-9999/a.json',
    '{}',
    { line: 1, field: 'kind', found: 'nothing' },
  ],
  [
    'a rating of six',
    REVIEW,
    ['"rating": 1', '"rating": 6'],
    { line: 4, field: 'rating', expected: 'a number from 1 to 5', found: 'the number 6' },
  ],
  ['a review that is no JSON', REVIEW, ['"rating": 1', 'rating: 1'], { expected: 'JSON' }],
  [
    'a text without its tool',
    'tools/tool-0009.md',
    '## Verdict\n\nGood.\n',
    {
      line: 0,
      expected: 'tools/tool-0009.yaml next to it; did you mean "tool-0000"?',
      found: 'no such file',
    },
  ],
  [
    'an unknown section',
    'tools/tool-0001.md',
    '## Verdict\n\nGood.\n\n## Agents notes\n\n- x\n',
    {
      line: 5,
      expected: 'one of ## Verdict, ## Notes, ## Agent notes; did you mean "Agent notes"?',
    },
  ],
  [
    'text before the first section',
    'tools/tool-0001.md',
    '# Title\n\nGood.\n',
    { line: 3, found: 'text before the first section' },
  ],
  [
    'a category twice',
    'catalog.yaml',
    ['id: storage', 'id: messaging'],
    { field: 'categories[1].id', expected: 'categories once each', found: '"messaging"' },
  ],
  [
    'a methodology elsewhere',
    'catalog.yaml',
    [/$/, 'methodology: ../../secret.yaml\n'],
    { field: 'methodology' },
  ],
  [
    'a methodology that is not there',
    'catalog.yaml',
    [/$/, 'methodology: other.yaml\n'],
    { file: 'other.yaml', line: 0, expected: 'the file', found: 'nothing' },
  ],
  [
    'a version without quotes',
    'methodology.yaml',
    ['version: "1.0"', 'version: 1.0'],
    { line: 1, field: 'version', found: 'the number 1 (text needs quotes)' },
  ],
  [
    'a criterion twice',
    'methodology.yaml',
    ['key: reliability', 'key: security'],
    { field: 'criteria[1].key' },
  ],
  [
    'a name that stands twice',
    VENDOR,
    [/^/, 'name: A\n'],
    { line: 2, field: 'name', expected: 'the field once', found: 'it again' },
  ],
  ['a tab before a name', VENDOR, 'name: V\nnotes:\n\t- x\n', { line: 3 }],
  [
    'a quote that never ends',
    VENDOR,
    'name: "V\nurl: https://v.example\n',
    { line: 3, expected: 'YAML that can be read' },
  ],
  [
    'a colon in plain text',
    VENDOR,
    'name: V: W\nurl: https://v.example\n',
    { line: 1, expected: 'quotes around text in which a colon is followed by a space' },
  ],
  [
    'two documents',
    VENDOR,
    `${VENDOR_TEXT}---\n${VENDOR_TEXT}`,
    { line: 3, expected: 'one document in a file' },
  ],
  [
    'a list instead of a mapping',
    VENDOR,
    '- V\n',
    { line: 1, expected: 'a mapping', found: 'a list' },
  ],
]

for (const row of ROWS) {
  const [what, file, , problem] = row
  test(`${what} is said with its file, line, field and what was expected`, async () => {
    expect(await problemsWith(row)).toContainEqual(expect.objectContaining({ file, ...problem }))
  })
}
