import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFolder } from '../../../src/catalog/authoring/load-folder.ts'
import { readToolText } from '../../../src/catalog/authoring/read-tool-text.ts'
import type { FileProblem } from '../../../src/catalog/records/problem.ts'
import { writeGeneratedCatalog } from '../../support/generated-catalog.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const FILE = 'vendors/vendor-0.yaml'
const KIB = 1024

async function problemsIn(make: (folder: string) => void): Promise<FileProblem[]> {
  using folder = tempFolder()
  writeGeneratedCatalog(folder.path, 2)
  make(folder.path)
  const { source, problems } = await loadFolder(folder.path)
  expect(source).toBeUndefined()
  return problems
}

const DOUBLED = Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*b${i - 1}, *b${i - 1}]`)

const TEXTS: Array<[what: string, text: string | Uint8Array, said: Partial<FileProblem>]> = [
  [
    'aliases of aliases',
    `b-1: &b-1 [x]\n${DOUBLED.join('\n')}`,
    { line: 1, field: 'b-1', expected: 'a value without anchor' },
  ],
  ['an alias of nothing', 'name: *x\nurl: https://v.example\n', { line: 1, found: 'an alias, *x' }],
  [
    'a merge key',
    'name: V\n<<: { url: "https://v.example" }\n',
    { line: 2, field: '<<', found: 'a merge key' },
  ],
  [
    'a tag',
    'name: !!js/function x\nurl: https://v.example\n',
    { line: 1, field: 'name', expected: 'a value without tag' },
  ],
  ['a known tag', 'name: !!binary aGk=\nurl: https://v.example\n', { line: 1, field: 'name' }],
  [
    'a prototype',
    'name: V\nurl: https://v.example\n__proto__: { polluted: true }\n',
    { line: 3, field: '__proto__', expected: 'a known field' },
  ],
  ['lists in lists', '['.repeat(50 * KIB), { line: 1, expected: 'at most 24 levels of nesting' }],
  [
    'mappings in mappings',
    '{a: '.repeat(15 * KIB),
    { line: 1, expected: 'at most 24 levels of nesting' },
  ],
  [
    'points in points',
    '- '.repeat(25 * KIB),
    { line: 1, expected: 'at most 24 levels of nesting' },
  ],
  [
    'forty levels',
    Array.from({ length: 40 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    { line: 26, expected: 'at most 24 levels of nesting' },
  ],
  ['a mapping as a name', '? { a: b }\n: c\n', { line: 1, expected: 'a name before the colon' }],
  [
    'a very large file',
    'x'.repeat(65 * KIB),
    { line: 0, expected: 'at most 64 KiB', found: '65 KiB' },
  ],
  ['a very long name', `${'x'.repeat(500)}: 1\n`, { line: 1 }],
  [
    'many names',
    Array.from({ length: 9000 }, (_, i) => `a${i}:`).join('\n'),
    { line: 1, expected: expect.stringContaining('a known field') as unknown as string },
  ],
  [
    'bytes that are no UTF-8',
    new Uint8Array([0x6e, 0x3a, 0x20, 0xff, 0xfe]),
    { line: 0, expected: 'text in UTF-8' },
  ],
  [
    'a program',
    new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]),
    { line: 0, expected: 'text in UTF-8' },
  ],
  [
    'a character that turns the direction',
    'name: "a\\u202Eb"\nurl: https://v.example\n',
    {
      line: 1,
      field: 'name',
      expected: 'text without control or direction characters',
      found: 'U+202E',
    },
  ],
  [
    'a character that steers the terminal',
    'name: "a\\e[2Jb"\nurl: https://v.example\n',
    { line: 1, field: 'name', found: 'U+001B' },
  ],
  ['half a character', 'name: "a\\uD800b"\nurl: https://v.example\n', { line: 1, field: 'name' }],
  ['nothing at all', '', { line: 1, expected: 'a mapping', found: 'an empty value' }],
]

for (const [what, text, problem] of TEXTS) {
  test(`${what} in a file is a problem with its place`, async () => {
    const problems = await problemsIn((folder) => writeFileSync(join(folder, FILE), text))
    expect(problems).toContainEqual(expect.objectContaining({ file: FILE, ...problem }))
    expect(problems.length).toBeLessThan(30)
    for (const { found: value } of problems) expect(value.length).toBeLessThan(200)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
}

test('links that lead out of the folder are not read', async () => {
  using outside = tempFolder()
  writeFileSync(join(outside.path, 'secret.yaml'), 'name: secret\nurl: https://secret.example\n')
  const problems = await problemsIn((folder) => {
    symlinkSync(join(outside.path, 'secret.yaml'), join(folder, 'vendors/a.yaml'))
    symlinkSync(join(outside.path, 'nothing.yaml'), join(folder, 'vendors/b.yaml'))
    symlinkSync(outside.path, join(folder, 'reviews/tool-0001'))
    symlinkSync(folder, join(folder, 'changes/2030'))
    symlinkSync(join(outside.path, 'secret.yaml'), join(folder, 'x.yaml'))
    writeFileSync(join(folder, 'catalog.yaml'), '')
  })
  expect(problems.map(({ file, found: value }) => `${file}: ${value}`)).toEqual([
    'catalog.yaml: an empty value',
    'changes/2030: neither a file nor a folder',
    'reviews/tool-0001: a link that leads out of it',
    'vendors/a.yaml: a link that leads out of it',
    'vendors/b.yaml: a link to nothing',
  ])
})

test('the settings themselves may not be a link that leads out', async () => {
  using outside = tempFolder()
  using folder = tempFolder()
  writeFileSync(join(outside.path, 'catalog.yaml'), 'name: secret\n')
  symlinkSync(join(outside.path, 'catalog.yaml'), join(folder.path, 'catalog.yaml'))
  const { problems } = await loadFolder(folder.path)
  expect(problems[0]).toMatchObject({ file: 'catalog.yaml', found: 'a link that leads out of it' })
})

test('a pipe is not waited for, and a folder in place of a file is no crash', async () => {
  const problems = await problemsIn((folder) => {
    Bun.spawnSync(['mkfifo', join(folder, 'tools/pipe.yaml')])
    Bun.spawnSync(['rm', join(folder, 'removed.yaml')])
    Bun.spawnSync(['mkfifo', join(folder, 'removed.yaml')])
    mkdirSync(join(folder, 'vendors/folder.yaml'))
  })
  expect(problems.map(({ file, found: value }) => `${file}: ${value}`)).toEqual([
    'removed.yaml: something else',
    'tools/pipe.yaml: neither a file nor a folder',
    'vendors/folder.yaml: a folder',
  ])
})

test('ten thousand broken files end in a list that can be read', async () => {
  const problems = await problemsIn((folder) => {
    for (let i = 0; i < 10_000; i++) writeFileSync(join(folder, `tools/x${i}.yaml`), 'a: [')
  })
  expect(problems.length).toBe(1000)
}, 60_000)

test('a name of a file cannot steer the terminal', async () => {
  const problems = await problemsIn((folder) => {
    writeFileSync(join(folder, 'vendors/\u001b[2J.yaml'), 'name: V\nurl: https://v.example\n')
  })
  expect(problems[0]?.found).not.toContain('\u001b')
})

// Over at once when the work grows with the length, and never when it grows with its square.
test('a line of a text that goes on and on is read once', () => {
  for (const [before, piece, after] of [
    ['## x', ' ', 'y'],
    ['## ', '#', 'x'],
    ['- ', ' ', 'x\u2028y'],
  ] as const) {
    const long = `${before}${piece.repeat(2_000_000)}${after}`
    expect(Array.isArray(readToolText('tools/x.md', long))).toBe(true)
  }
  expect(readToolText('x.md', '## Notes ##\n\n-  a\n')).toMatchObject({ notes: ['a'] })
})
