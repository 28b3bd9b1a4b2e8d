import { describe, expect, test } from 'bun:test'
import {
  type Boundary,
  type JudgeOptions,
  judge,
  type Touch,
} from '../../../src/ask/wire/matcher/judge.ts'
import { protect } from '../../../src/ask/wire/matcher/protected-paths.ts'

const BOUNDARY: Boundary = {
  allowedPaths: ['src', 'src/**', 'docs/*.md', 'packages/*/lib'],
  offLimitsPaths: [
    '**/.env',
    '.env',
    'src/secret',
    'src/secret/**',
    'infra/prod/**',
    '**/keys/**',
    'apps/*/config/live',
    '**/data/*/kept',
    'gen/[!a]x',
    'straße',
  ],
  widened: ['README.md', '/tmp/out.txt', 'build'],
}

type Row = [
  path: string | string[],
  touch: Touch,
  is: 'within' | 'outside' | string,
  options?: JudgeOptions,
]
const ROWS: Row[] = [
  ['src/a.ts', 'write', 'within'],
  ['src/a.ts', 'delete', 'within'],
  ['src', 'tree', 'off_limits src/secret'],
  ['src/app', 'tree', 'within'],
  ['docs/a.md', 'write', 'within'],
  ['docs/a.md', 'tree', 'outside'],
  ['docs/x/a.md', 'write', 'outside'],
  ['packages/a/lib/b/c.ts', 'write', 'within'],
  ['packages/a/lib', 'tree', 'within'],
  ['packages/a/test', 'write', 'outside'],
  ['lib/a.ts', 'write', 'outside'],
  ['lib/a.ts', 'read', 'within'],
  ['/etc/hosts', 'read', 'within'],
  ['/etc/hosts', 'write', 'outside'],
  ['README.md', 'write', 'within'],
  ['README.md', 'tree', 'within'],
  ['README.md/x', 'write', 'outside'],
  ['readme.md', 'write', 'outside'],
  ['readme.md', 'write', 'within', { fold: true }],
  ['build', 'tree', 'within'],
  ['build/x', 'write', 'outside'],
  ['/tmp/out.txt', 'write', 'within'],
  ['/tmp/other.txt', 'write', 'outside'],
  ['SRC/a.ts', 'write', 'outside'],
  ['SRC/a.ts', 'write', 'within', { fold: true }],
  ['src/.env', 'read', 'off_limits **/.env'],
  ['src/.ENV', 'write', 'off_limits **/.env'],
  ['.env', 'read', 'off_limits **/.env'],
  ['.env/below', 'read', 'off_limits **/.env'],
  ['src/Secret/a', 'write', 'off_limits src/secret'],
  ['/home/u/.env', 'read', 'off_limits **/.env'],
  ['/home/u/keys/id', 'read', 'off_limits **/keys/**'],
  ['infra/prod/main.tf', 'read', 'off_limits infra/prod/**'],
  ['infra', 'tree', 'off_limits infra/prod/**'],
  ['infra', 'read', 'within'],
  ['infra', 'delete', 'outside'],
  ['.', 'tree', 'off_limits **/.env'],
  ['', 'tree', 'off_limits **/.env'],
  ['src/app/keys', 'tree', 'off_limits **/keys/**'],
  ['src/../infra/prod/a', 'read', 'off_limits infra/prod/**'],
  ['src/../src/a.ts', 'write', 'outside'],
  ['../src/a.ts', 'write', 'outside'],
  ['../x/.env', 'read', 'off_limits **/.env'],
  ['../infra/prod/a', 'read', 'within'],
  ['apps/web', 'tree', 'off_limits apps/*/config/live'],
  ['apps/web/config', 'tree', 'off_limits apps/*/config/live'],
  ['apps/web/src', 'tree', 'outside'],
  ['data', 'tree', 'off_limits **/data/*/kept'],
  ['raw', 'tree', 'outside'],
  ['data/raw', 'tree', 'off_limits **/data/*/kept'],
  ['gen/Ax', 'read', 'off_limits gen/[!a]x'],
  ['gen/ax', 'read', 'within'],
  ['gen/BX', 'read', 'off_limits gen/[!a]x'],
  ['STRASSE/a', 'read', 'off_limits straße'],
  ['strasse', 'read', 'off_limits straße'],
  [['src/a.ts', 'src/b.ts'], 'write', 'within'],
  [['src/link', '/etc/passwd'], 'write', 'outside'],
  [['src/link', 'src/.env'], 'write', 'off_limits **/.env'],
  [['src/link', '.env'], 'read', 'off_limits **/.env'],
  [['lib/link', '.env'], 'write', 'off_limits **/.env'],
  [[], 'write', 'within'],
  ['/srv/app', 'tree', 'outside'],
  ['/srv', 'tree', 'off_limits **/.env', { roots: ['/srv/app'] }],
  ['/', 'tree', 'off_limits **/.env', { roots: ['/srv/app'] }],
  ['/srv/app2', 'tree', 'outside', { roots: ['/srv/app'] }],
]

describe('a boundary', () => {
  for (const [path, touch, expected, options] of ROWS) {
    const how = options ? ` with ${JSON.stringify(options)}` : ''
    test(`${touch} of ${JSON.stringify(path)} is ${expected}${how}`, () => {
      const candidates = typeof path === 'string' ? [path] : path
      const judgement = judge(BOUNDARY, candidates, touch, options)
      expect(judgement.is === 'off_limits' ? `off_limits ${judgement.rule}` : judgement.is).toBe(
        expected,
      )
      if (judgement.is !== 'within') expect(candidates).toContain(judgement.path)
    })
  }
})

test('a rule that says of no folder that there is something in it stops no folder', () => {
  const offLimitsPaths = ['**/*/kept', '**/*.pem', '**/.env', '.env']
  const boundary = { allowedPaths: ['**'], offLimitsPaths, widened: [] }
  for (const folder of ['src', 'src/app']) {
    expect(judge(boundary, [folder], 'tree').is).toBe('within')
  }
  for (const folder of ['.', 'src/kept', 'src/kept/a', '.env']) {
    expect(judge(boundary, [folder], 'tree').is).toBe('off_limits')
  }
})

describe('an empty list of allowed paths', () => {
  const open: Boundary = { allowedPaths: [], offLimitsPaths: ['infra/**'], widened: ['/tmp/x'] }
  const rows: [string, Touch, string][] = [
    ['a/b', 'write', 'within'],
    ['a', 'tree', 'within'],
    ['.', 'tree', 'off_limits'],
    ['infra/a', 'write', 'off_limits'],
    ['/etc/hosts', 'write', 'outside'],
    ['/etc/hosts', 'read', 'within'],
    ['/tmp/x', 'write', 'within'],
    ['../a', 'write', 'outside'],
  ]
  for (const [path, touch, is] of rows) {
    test(`says ${is} to ${touch} of ${path}`, () => {
      expect(judge(open, [path], touch).is).toBe(is as 'within')
    })
  }
})

describe('an absolute rule', () => {
  const rule = {
    allowedPaths: ['/w/app/src/**', '/tmp/**'],
    offLimitsPaths: ['/w/app/infra', '/secret'],
    widened: [],
  }
  const rows: [string, string, string[]?][] = [
    ['src/a', 'within', ['/w/app']],
    ['src/a', 'outside', ['/w/other']],
    ['src/a', 'outside', ['/w/app', '/w/other']],
    ['src/a', 'outside'],
    ['/tmp/a', 'within'],
    ['infra/a', 'off_limits', ['/w/app']],
    ['infra/a', 'off_limits', ['/w/other', '/w/app']],
    ['infra/a', 'outside', ['/w/other']],
    ['INFRA', 'off_limits', ['/W/App']],
    ['secret/a', 'off_limits'],
    ['/secret/a', 'off_limits'],
  ]
  for (const [path, is, roots = []] of rows) {
    test(`makes ${path} ${is} below ${roots.join(' and ') || 'an unknown root'}`, () => {
      expect(judge(rule, [path], 'write', { roots }).is).toBe(is as 'within')
    })
  }
  test('knows the drive of a Windows path in either spelling', () => {
    const windows = { allowedPaths: ['/c/app/**'], offLimitsPaths: ['d:/keys'], widened: ['C:/x'] }
    for (const path of ['c:/app/a', 'C:/app', '/c/app/a', '/c/x', 'c:/x']) {
      expect([path, judge(windows, [path], 'write').is]).toEqual([path, 'within'])
    }
    expect(judge(windows, ['D:/Keys/a'], 'read').is).toBe('off_limits')
    expect(judge({ ...windows, allowedPaths: [] }, ['c:/other'], 'write').is).toBe('outside')
    expect(judge(windows, ['src/a'], 'write', { roots: ['c:/app'] }).is).toBe('within')
  })

  test('does not take a floating rule for the folders above a root', () => {
    const floating = { allowedPaths: ['**'], offLimitsPaths: ['**/build'], widened: [] }
    expect(judge(floating, ['src/a'], 'write', { roots: ['/build/app'] }).is).toBe('within')
  })
})

describe('what is protected while a scope holds', () => {
  const boundary = protect(
    { allowedPaths: ['**'], offLimitsPaths: [], widened: ['.git/config'] },
    { folders: ['/home/u/.config/beckon'], files: ['/usr/local/bin/beckon'] },
  )
  const closed = ['.claude/settings.json', '.claude/settings.local.json', '.CLAUDE/Settings.json']
  const more = [
    '.codex/config.toml',
    'app/.cursor/hooks.json',
    '.git/hooks/pre-commit',
    '.git/config',
  ]
  const home = ['/home/u/.claude/settings.json', '/home/u/.config/opencode/plugins/x.ts']
  for (const path of [...closed, ...more, ...home, '/usr/local/bin/beckon']) {
    test(`${path} may be read, not changed`, () => {
      expect(judge(boundary, [path], 'read').is).toBe('within')
      for (const touch of ['write', 'delete', 'tree'] as const) {
        expect(judge(boundary, [path], touch).is).toBe('off_limits')
      }
    })
  }
  for (const folder of ['.git', '.claude', 'vendor/lib/.git', '/home/u/.claude']) {
    test(`the folder ${folder} cannot be taken away`, () => {
      expect(judge(boundary, [folder], 'tree').is).toBe('off_limits')
    })
  }
  for (const folder of ['.', 'src', '.git/refs']) {
    test(`what is done to the whole of ${folder} is for the other rules to judge`, () => {
      expect(judge(boundary, [folder], 'tree').is).toBe('within')
    })
  }
  test('our own settings are not even read', () => {
    expect(judge(boundary, ['/home/u/.config/beckon/client.json'], 'read').is).toBe('off_limits')
  })
  test('a scope that names some of them allows those', () => {
    const judged = (path: string, allowedPaths: string[]) =>
      judge(protect({ allowedPaths, offLimitsPaths: [], widened: [] }), [path], 'write').is
    const skill = '.claude/skills/a/SKILL.md'
    expect(judged(skill, [])).toBe('off_limits')
    expect(judged(skill, ['**'])).toBe('off_limits')
    expect(judged(skill, ['.claude/skills/**'])).toBe('within')
    expect(judged('.envrc', ['.envrc', 'src'])).toBe('within')
    expect(judged('.claude/settings.json', ['.claude/**'])).toBe('off_limits')
    expect(judged('.git/commondir', ['.git/commondir'])).toBe('off_limits')
  })

  test('files beside protected ones are free', () => {
    for (const path of ['.claude/CLAUDE.md', '.git/COMMIT_EDITMSG', '.vscode/settings.json']) {
      expect(judge(boundary, [path], 'write').is).toBe('within')
    }
  })
})

test.each(['config/prod/db.yml', 'config/prod-eu/a/b', 'config/prod', 'config/prod.yml'])(
  'off limits with a pattern at the end cover what is below: %s',
  (path) => {
    const boundary = { allowedPaths: ['**'], offLimitsPaths: ['config/prod*'], widened: [] }
    expect(judge(boundary, [path], 'read').is).toBe('off_limits')
  },
)

test('an allowed pattern does not cover what is below what it matches', () => {
  const boundary = { allowedPaths: ['config/prod*'], offLimitsPaths: [], widened: [] }
  expect(judge(boundary, ['config/prod/db.yml'], 'write').is).toBe('outside')
  expect(judge(boundary, ['config/prod.yml'], 'write').is).toBe('within')
})
