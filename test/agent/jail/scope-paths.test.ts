import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scopePaths } from '../../../src/agent/jail/scope-paths.ts'
import { judge } from '../../../src/ask/wire/matcher/judge.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())
const root = folder.path
const FILES = [
  '.env',
  'a/.ENV',
  'a/b/.env.local',
  'a/b/key.pem',
  'a/b/key.PEM',
  'a/b/key.pem.txt',
  'infra/prod/m.tf',
  'infra/prod-eu/m.tf',
  'infra/Prod/x',
  'app/[id]/page.ts',
  'straße/schlüssel.pem',
  'STRASSE/x',
  'a/odd name /x.pem',
  'a/b/.npmrc',
  '.claude/settings.json',
  'a/.claude/settings.local.json',
  '.envrc',
]
for (const path of FILES) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), '')
}
const scope = (offLimitsPaths: string[]) => ({
  allowedPaths: [],
  offLimitsPaths,
  widened: [],
  roots: [root],
  cwd: root,
})
const denied = (rules: string[]) =>
  scopePaths(scope(rules), {}, '').deny.map((path) => path.slice(root.length + 1))

const RULES = [
  ['.env'],
  ['**/.env*'],
  ['**/*.pem'],
  ['**/*.{pem,npmrc}', '.env'],
  ['**/.{env,npmrc}'],
  ['infra/prod'],
  ['infra/prod*'],
  ['infra/prod/**'],
  ['**/prod/**'],
  ['app/[id]'],
  ['**/[id]/**'],
  ['straße'],
  ['**/strasse'],
  ['**/x*'],
  ['**/?ey.pem'],
  ['**'],
]

for (const rules of RULES)
  test(`the files that ${rules.join(' and ')} keeps from a command are those that the judge finds`, () => {
    const paths = denied(rules)
    const isBelow = (path: string) =>
      paths.some((one) => path === one || path.startsWith(`${one}/`))
    for (const path of FILES) {
      const boundary = { allowedPaths: [], offLimitsPaths: rules, widened: [] }
      const names = [path, join(root, path)].map((name) => name.normalize('NFC'))
      const judged = judge(boundary, names, 'read', { roots: [root] })
      expect([path, isBelow(path)]).toEqual([path, judged.is === 'off_limits'])
    }
  })

test('a project with more than 20,000 entries is covered, and one with too many says so', () => {
  for (let at = 0; at < 250; at++) {
    const path = join(root, `many/${at}`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < 90; file++) writeFileSync(join(path, String(file)), '')
  }
  writeFileSync(join(root, 'many/249/zz.pem'), '')
  const all = scopePaths(scope(['**/*.pem']), {}, '')
  expect(all.isWhole).toBe(true)
  expect(all.deny).toContain(join(root, 'many/249/zz.pem'))
  expect(scopePaths(scope(['**/*.pem']), {}, '', 1_000).isWhole).toBe(false)
})
