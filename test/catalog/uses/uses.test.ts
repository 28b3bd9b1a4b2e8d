import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { lockDifference, lockOf } from '../../../src/catalog/uses/lock.ts'
import { matchUses, type UsableTool } from '../../../src/catalog/uses/match-uses.ts'
import { findVulnerabilities } from '../../../src/catalog/uses/osv.ts'
import { entriesIn } from '../../../src/catalog/uses/osv-dump.ts'
import { PACKAGE_READERS } from '../../../src/catalog/uses/packages.ts'
import { recordOfServer } from '../../../src/catalog/uses/server-record.ts'
import { SETTING_READERS } from '../../../src/catalog/uses/settings.ts'
import type { Use } from '../../../src/catalog/uses/use.ts'
import { aCatalogView } from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

const READERS = [...PACKAGE_READERS, ...SETTING_READERS]
const read = (file: string, text: string): Use[] =>
  READERS.filter((reader) => reader.reads(file)).flatMap((reader) => reader.read(file, text))
const short = (uses: Use[]) =>
  uses.map((use) => {
    if (use.kind === 'package') return `${use.registry} ${use.name} ${use.version ?? '-'}`
    return use.kind === 'address' ? use.url : use.kind === 'model' ? use.id : use.name
  })

describe('uses in', () => {
  test.each([
    [
      'package-lock.json',
      '{"packages":{"":{"name":"x"},"node_modules/a/node_modules/@b/c":{"version":"2.0.1"}}}',
      ['npm @b/c 2.0.1'],
    ],
    ['bun.lock', '{"packages":{"@b/c":["@b/c@2.0.1","",{},"sha"],},}', ['npm @b/c 2.0.1']],
    ['pnpm-lock.yaml', "packages:\n  '@b/c@2.0.1(d@1)': {}\n", ['npm @b/c 2.0.1']],
    ['yarn.lock', '"@b/c@^2.0.0":\n  version "2.0.1"\n', ['npm @b/c 2.0.1']],
    [
      'api/requirements-dev.txt',
      'A_b[x]==1.2 ; python_version > "3"\n-r other.txt\n# c==1\n',
      ['pypi A_b 1.2'],
    ],
    [
      'pyproject.toml',
      '[project]\ndependencies = ["openai>=1", "b==2"]\n[tool.poetry.dependencies]\npython = "3"\nc = "1"\n',
      ['pypi openai -', 'pypi b 2', 'pypi c -'],
    ],
    ['uv.lock', '[[package]]\nname = "b"\nversion = "2"\n', ['pypi b 2']],
    [
      'go.mod',
      'module x.org/y\nrequire (\n\tgithub.com/a/b/v2 v2.1.0 // indirect\n)\n',
      ['go github.com/a/b/v2 2.1.0'],
    ],
    [
      '.mcp.json',
      '{"mcpServers":{"a":{"command":"npx","args":["-y","@b/c@latest"]},"d":{"url":"https://e.example/mcp"}}}',
      ['npm @b/c -', 'https://e.example/mcp'],
    ],
    [
      '.codex/config.toml',
      '[mcp_servers.a]\ncommand = "uvx"\nargs = ["b-server@1.2"]\n',
      ['pypi b-server 1.2', 'b-server@1.2'],
    ],
    ['opencode.json', '{"mcp":{"a":{"type":"local","command":["bunx","b"]}}} // c', ['npm b -']],
    ['.env.example', '# X_Y=1\nexport OPENAI_API_KEY=sk-123\nlower=1\n', ['OPENAI_API_KEY']],
    ['src/a.py', 'M = "gpt-4.1"\nprint("a sentence 1")\n', ['gpt-4.1']],
    ['settings.yaml', 'model: claude-opus-4\nname: plain\n', ['claude-opus-4']],
  ])('%s', (file, text, uses) => {
    expect(short(read(file, text))).toEqual(uses)
  })

  test('any text is a list or a refusal', () => {
    for (const name of [
      'package.json',
      'bun.lock',
      'pyproject.toml',
      '.mcp.json',
      'go.mod',
      'a.ts',
    ]) {
      fc.assert(
        fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
          try {
            expect(read(name, text)).toBeArray()
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
          }
        }),
        { numRuns: 50 },
      )
    }
  })
})

const [first, second] = aCatalogView(generatedCatalog(2)).tools as UsableTool[]
const use = (name: string, registry: 'npm' | 'pypi' = 'npm', version?: string): Use => ({
  ...{ file: 'x', line: 1, kind: 'package', registry, name },
  ...(version ? { version } : {}),
})

test('a package that two records have identifies neither, nor does one of another registry', () => {
  if (!first || !second) throw new Error('no tools')
  const withPackage = (tool: UsableTool, name: string) => ({
    ...tool,
    packages: [{ registry: 'pypi', name }],
  })
  const tools = [withPackage(first, 'A.b'), withPackage(second, 'c')]
  expect(matchUses(tools, [use('a_B', 'pypi')]).matches.map(({ tool }) => tool.slug)).toEqual([
    first.slug,
  ])
  expect(matchUses(tools, [use('a.b', 'npm')]).matches).toEqual([])
  const twice = [withPackage(first, 'c'), withPackage(second, 'c')]
  expect(matchUses(twice, [use('c', 'pypi')])).toMatchObject({
    matches: [],
    unmatched: [{ name: 'c' }],
  })
})

test('a server is found by the package that is run or by its address, and never by a guess', () => {
  if (!first || !second) throw new Error('no tools')
  const tools = [
    { ...first, packages: [{ registry: 'npm', name: '@b/c' }] },
    { ...second, packages: [{ registry: 'pypi', name: 'd' }], remoteUrl: 'https://m.example/mcp' },
  ] as UsableTool[]
  const slugOf = (server: string) => recordOfServer(tools, server)?.slug
  for (const server of ['npx -y @b/c /home', '/usr/bin/npx @b/c@1.2.0', 'bunx @b/c@latest'])
    expect([server, slugOf(server)]).toEqual([server, first.slug])
  for (const server of ['uvx d', 'uvx d==1.0 --x', 'pipx run d', 'https://m.example/mcp/'])
    expect([server, slugOf(server)]).toEqual([server, second.slug])
  for (const server of [
    ...['@b/c', 'node @b/c', 'uvx @b/c', 'npx d', 'npx --package=x @b/c', 'npx -p x @b/c', 'npx'],
    ...['npx @b/c@npm:evil', 'npx github:b/@b/c', 'uvx --from evil d', 'uvx --python 3.12 d'],
    ...['https://m.example/other', 'https://evil.example/mcp', 'echo npx @b/c'],
  ])
    expect([server, slugOf(server)]).toEqual([server, undefined])
})

test('the id of a reseller is one only with its provider', () => {
  if (!first) throw new Error('no tool')
  const url = 'https://github.com/x/models.dev/blob/HEAD/providers/groq/models/openai/oss-20b.toml'
  const provenance = { ...first.provenance, sources: [{ url, read: '2026-11-01', facts: [] }] }
  const tools = [{ ...first, kind: 'model', packages: [], provenance } as UsableTool]
  const model = (id: string): Use => ({ file: 'x', line: 1, kind: 'model', id })
  expect(matchUses(tools, [model('openai/oss-20b')]).matches).toEqual([])
  expect(matchUses(tools, [model('groq/openai/oss-20b')]).matches).toHaveLength(1)
})

test('a lock tells which tool came, went or changed, and nothing of a list that was not read whole', () => {
  if (!first) throw new Error('no tool')
  const withTools = (hashes: Record<string, string>, count = Object.keys(hashes).length) => {
    const tools = Object.entries(hashes).map(([name, sign]) => ({ name, hash: sign.repeat(64) }))
    const mcpTools = {
      url: 'https://v.example',
      checkedAt: '2026-11-20T08:00:00Z',
      status: 'ok',
      count,
      tools,
    }
    return [{ use: use('x'), tool: { ...first, live: { ...first.live, mcpTools } } as UsableTool }]
  }
  const before = lockOf(withTools({ keep: '0', old: '1', edit: '2' }))
  const now = lockOf(withTools({ edit: '3', keep: '0', add: '4' }))
  expect(lockDifference(before, now, first.slug)).toBe('add came, edit changed, old went')
  expect(lockDifference(before, before, first.slug)).toBeUndefined()
  expect(lockOf(withTools({ keep: '0' }, 2)).servers).toEqual({})
})

test('vulnerabilities are of the locked version, and of an unknown one not known', () => {
  const entry = (name: string, ecosystem: string, more: object) => ({
    ...{ id: `V-${name}`, summary: 'Bad.' },
    affected: [{ package: { ecosystem, name }, ...more }],
  })
  const events = [{ introduced: '1.0.0' }, { fixed: '1.4.0' }]
  const dump = [
    entry('a', 'npm', { ranges: [{ type: 'SEMVER', events }] }),
    entry('u', 'npm', { ranges: [{ type: 'SEMVER', events }] }),
    entry('B.b', 'PyPI', { versions: ['1.0'], ranges: [{ type: 'ECOSYSTEM', events }] }),
    { ...entry('w', 'npm', { ranges: [{ type: 'SEMVER', events }] }), withdrawn: '2026-01-01' },
  ]
  const uses = [
    ...['0.9.0', '1.0.0', '1.3.9', '1.4.0', undefined].map((version) => use('a', 'npm', version)),
    use('u', 'npm', undefined),
    ...[use('b-b', 'pypi', '1.0'), use('b-b', 'pypi', '1.1'), use('w', 'npm', '1.0.0')],
  ]
  for (const text of [JSON.stringify(dump), dump.map((one) => JSON.stringify(one)).join('\n')]) {
    const { vulnerable, unsure } = findVulnerabilities(entriesIn(text), uses)
    const versions = vulnerable.map((one) => (one.use.kind === 'package' ? one.use.version : ''))
    expect(versions).toEqual(['1.0.0', '1.3.9', '1.0'])
    expect(unsure.map(({ id }) => id)).toEqual(['V-u'])
  }
})
