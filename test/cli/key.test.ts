import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createAgents } from '../../src/ask/accounts/model/agents.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { beckon } from '../support/beckon.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('keys are created, listed and revoked while a server has the database open', async () => {
  using folder = tempFolder()
  const data = ['--data', folder.path]
  await using db = openDataFolder(folder.path)
  using agents = createAgents({ db, clock: systemClock })

  const created = await beckon(['key', 'create', '--name', 'laptop', ...data])
  expect(created.code).toBe(0)
  expect(created.out).toMatch(/^bk_[0-9a-z]{40}\n$/)
  expect(created.err).toContain('shown this once')
  const token = created.out.trim()
  expect(await agents.find(token)).toMatchObject({ tokenName: 'laptop', test: false })

  const trial = await beckon(['key', 'create', '--name', 'trial', '--test', '--json', ...data])
  const json = JSON.parse(trial.out)
  expect(json).toMatchObject({ name: 'trial', test: true, revokedAt: null })
  expect(await agents.find(json.token)).toMatchObject({ test: true })

  const listed = JSON.parse((await beckon(['key', 'list', '--json', ...data])).out)
  expect(listed.map((row: { name: string }) => row.name).sort()).toEqual(['laptop', 'trial'])
  expect(JSON.stringify(listed)).not.toContain(json.token)

  expect(await beckon(['key', 'revoke', json.id, ...data])).toEqual({
    code: 0,
    out: `${json.id}, "trial", is revoked.\n`,
    err: expect.stringContaining('wait_for_answer'),
  })
  const table = await beckon(['key', 'list', ...data])
  expect(table.out).toMatch(/trial +bk_….{4} +revoked +never/)
  expect(table.out).toMatch(/laptop +bk_….{4} +active +never/)
})

test('a fresh data folder has no keys, and says what to do', async () => {
  using folder = tempFolder()
  await openDataFolder(folder.path)[Symbol.asyncDispose]()
  expect(await beckon(['key', 'list', '--data', folder.path])).toEqual({
    code: 0,
    out: '',
    err: 'There are no tokens yet; beckon key create makes one.\n',
  })
})

const WRONG: Array<[args: string[], code: number, sentence: string]> = [
  [[], 2, 'Say which of these to do: create, list, revoke. See: beckon key --help'],
  [['steal'], 2, '"steal" is not one of create, list, revoke. See: beckon key --help'],
  [['toString'], 2, '"toString" is not one of create, list, revoke. See: beckon key --help'],
  [['create'], 2, '--name is missing. See: beckon key --help'],
  [['revoke'], 2, 'ID is missing. See: beckon key --help'],
  [['revoke', 'key_none'], 1, 'There is no token key_none; nothing was revoked.'],
  [['list', '--workspace', 'no\u001b[2Jwhere'], 1, 'There is no workspace "no[2Jwhere".'],
]

for (const [args, code, sentence] of WRONG) {
  test(`beckon key ${JSON.stringify(args)} ends with ${code} and one sentence`, async () => {
    using folder = tempFolder()
    await openDataFolder(folder.path)[Symbol.asyncDispose]()
    const env = { BECKON_DATA: folder.path }
    expect(await beckon(['key', ...args], { env })).toEqual({ code, out: '', err: `${sentence}\n` })
  })
}

const LOOKING = [
  ['key', 'list'],
  ['key', 'revoke', 'key_none'],
  ['user', 'list'],
  ['user', 'reset', '--email', 'ada@example.com'],
]

for (const args of LOOKING) {
  test(`beckon ${args.join(' ')} with a mistyped folder says so, and makes none`, async () => {
    using folder = tempFolder()
    for (const path of [join(folder.path, 'typo', 'data'), folder.path]) {
      expect(await beckon([...args, '--data', path])).toEqual({
        code: 1,
        out: '',
        err: `There is no Beckon data folder at ${path} (it has no beckon.db); name the server's folder with --data or BECKON_DATA, or its PostgreSQL with BECKON_DATABASE_URL.\n`,
      })
    }
    expect(readdirSync(folder.path)).toEqual([])
  })
}

test('a token may be made before the first start; that a folder was made is said', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  const create = ['key', 'create', '--name', 'laptop', '--data', data]
  const notice = `There was no data folder at ${data}: this made a new one.\n`
  const first = await beckon(create)
  expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/^bk_/) })
  expect(first.err).toStartWith(notice)
  expect((await beckon(create)).err).not.toContain(notice)
})
