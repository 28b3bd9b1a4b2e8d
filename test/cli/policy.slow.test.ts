import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { beckon } from '../support/beckon.ts'
import { tempFolder } from '../support/temp-folder.ts'

const RULE = `
  - id: no-force
    match: { toolName: Bash, toolTarget: "git push --force*" }
    decision: deny
`

test('a file is exported, checked, compared, tried and applied, each with its exit code', async () => {
  using folder = tempFolder()
  await openDataFolder(folder.path)[Symbol.asyncDispose]()
  const file = join(folder.path, 'policy.yaml')
  const policy = (...args: string[]) => beckon(['policy', ...args, '--data', folder.path])

  expect((await policy('export', file)).code).toBe(0)
  expect((await policy('diff', file)).code).toBe(0)
  const exported = await Bun.file(file).text()
  await Bun.write(file, exported.replace('rules: []', `rules:${RULE}`))
  expect((await beckon(['policy', 'lint', file])).code).toBe(0)

  const differs = await policy('diff', file)
  expect(differs.code).toBe(3)
  expect(differs.out).toStartWith('+ rule no-force\n')
  expect(differs.out).toContain('decision: nothing → "deny"')
  const trial = JSON.parse((await policy('try', file, '--days', '7', '--json')).out)
  expect(trial).toMatchObject({ days: 7, calls: 0, changed: [] })
  expect((await policy('apply', file)).code).toBe(0)
  expect((await policy('diff', file)).code).toBe(0)

  await Bun.write(file, exported.replace('rules: []', `rules:${RULE.replace('deny', 'never')}`))
  const wrong = await beckon(['policy', 'lint', file, '--json'])
  expect(wrong.code).toBe(1)
  expect(JSON.parse(wrong.out).findings).toMatchObject([
    { level: 'error', line: 9, field: 'rules[0].decision' },
  ])
  expect((await policy('apply', file)).code).toBe(1)
  expect((await policy('apply', file, '--base', '0'.repeat(64))).code).toBe(1)
  await Bun.write(file, exported)
  expect((await policy('apply', file, '--base', '0'.repeat(64))).code).toBe(3)
  expect((await policy('release')).code).toBe(0)
  expect((await beckon(['policy', 'lint', join(folder.path, 'none.yaml')])).code).toBe(2)
})
