import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { writeCatalogFolder } from '../../support/catalog-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const tool = (name: string, more: string) => `name: ${name}
vendor: example
kind: mcp
category: messaging
summary: It sends messages.
auth: none
pricing: free
where: library
${more}`

const CATALOG = {
  'tools/mail.yaml': tool(
    'Mail',
    'license: MIT\npackages: [{ registry: npm, name: "@acme/mail" }]\n',
  ),
  'tools/gone.yaml': tool(
    'Gone',
    'license: MIT\npackages: [{ registry: pypi, name: Gone_Tool }]\n',
  ),
  'tools/acme-9.yaml': `name: Acme 9
vendor: example
kind: model
category: messaging
summary: It answers.
auth: api-key
pricing: usage
where: hosted
models:
  acme-9-large: { toolCalls: true }
sources:
  - { url: "https://example.com/models", read: 2026-11-01, facts: [models] }
`,
  'changes/2026/gone.yaml': `date: 2026-01-05
kind: shutdown
tool: gone
what: It is shut down.
source: https://example.com/end
replacement: mail
`,
  'changes/2099/acme-9.yaml': `date: 2099-01-05
kind: shutdown
tool: acme-9
what: The model is retired.
source: https://example.com/end
`,
}

function repository(files: Record<string, string>) {
  const folder = tempFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    writeFileSync(join(folder.path, path), text)
  }
  return folder
}

const FILES = {
  'package.json': '{ "dependencies": {\n "@acme/mail": "^1.0.0",\n "gone-tool": "1" } }',
  'requirements.txt': 'requests==2.0.0\ngone.tool>=1 # of PyPI\n',
  'src/ask.ts': "// acme-9\nconst model = 'acme-9-large'\n",
  'node_modules/x/requirements.txt': 'gone-tool==1\n',
}

test('a repository is told what ends, by registry and name, at the line that uses it', async () => {
  using catalog = tempFolder()
  writeCatalogFolder(catalog.path, CATALOG)
  using folder = repository(FILES)
  const run = (...args: string[]) =>
    beckon(['catalog', 'check', folder.path, '--from', catalog.path, ...args])
  const { code, out } = await run('--format', 'json')
  expect(code).toBe(1)
  const { problems, uses } = JSON.parse(out) as {
    problems: Array<Record<string, unknown>>
    uses: Array<{ file: string; tool: string }>
  }
  // The package of npm with the same name is another one.
  expect(
    problems.map(({ code: problem, file, line, tool: slug }) => [problem, file, line, slug]),
  ).toEqual([
    ['ended', 'requirements.txt', 2, 'gone'],
    ['ends-soon', 'src/ask.ts', 2, 'acme-9'],
  ])
  expect(problems[1]).toMatchObject({ severity: 'note' })
  expect(uses.map(({ file, tool: slug }) => [file, slug])).toContainEqual(['package.json', 'mail'])
  expect((await run('--days', '99999', '--fail-on', 'note')).out).toContain('warning ends-soon')
  const sarif = JSON.parse((await run('--format', 'sarif')).out)
  expect(sarif.runs[0].results[0]).toMatchObject({ ruleId: 'ended', level: 'error' })
  const wrong = await run('--format', 'xml')
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--format')])
})

test('without problems it exits 0, and says what it does not know', async () => {
  using catalog = tempFolder()
  writeCatalogFolder(catalog.path, CATALOG)
  using folder = repository({ 'package.json': '{ "dependencies": { "left-pad": "1" } }' })
  const { code, err } = await beckon(['catalog', 'check', folder.path, '--from', catalog.path])
  expect(code).toBe(0)
  expect(err).toContain('Not known of 1 package')
})

test('--lock writes the lock, and a broken one is named', async () => {
  using catalog = tempFolder()
  writeCatalogFolder(catalog.path, CATALOG)
  using folder = repository(FILES)
  await beckon(['catalog', 'check', folder.path, '--from', catalog.path, '--lock'])
  const lock = join(folder.path, 'beckon.lock')
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual({ version: 1, servers: {} })
  writeFileSync(lock, '{')
  const { code, err } = await beckon(['catalog', 'check', folder.path, '--from', catalog.path])
  expect([code, err]).toEqual([1, expect.stringContaining('beckon.lock is no lock')])
})
