import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const REVIEW = {
  ...{ kind: 'desk', date: '2026-11-22', rating: 4, title: 'It works', body: 'It does.' },
  ...{ pros: [], cons: [], themes: [], source: 'A desk', basis: 'Documents', outcome: '' },
}

test('a review is signed with a key of its own, and verified until a word changes', async () => {
  using folder = tempFolder()
  const cat = join(folder.path, 'catalog')
  const key = join(folder.path, 'desk.key')
  const file = join(cat, 'reviews/example-messages/first.json')
  const run = async (...args: string[]) => await beckon(['catalog', ...args])
  expect((await run('init', cat, '--empty')).code).toBe(0)
  mkdirSync(join(cat, 'reviews/example-messages'), { recursive: true })
  writeFileSync(file, JSON.stringify(REVIEW))
  const result = await run('sign', '--new-key', key, '--name', 'The desk')
  expect(result.code).toBe(0)
  expect(statSync(key).mode & 0o777).toBe(0o600)
  expect((await run('sign', '--new-key', key)).err).toContain('exists')
  writeFileSync(join(cat, 'keys.yaml'), result.out.replace(/since: .*/, 'since: 2026-11-01'))
  expect((await run('verify', file)).code).toBe(1)
  expect((await run('sign', file, '--key', key)).code).toBe(0)
  const again = await run('sign', '--all', '--key', key, '--dir', cat)
  expect([again.code, again.err]).toEqual([0, expect.stringContaining('Nothing was signed')])
  const verified = await run('verify', file)
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('The desk signed')])
  writeFileSync(file, readFileSync(file, 'utf8').replace('"rating": 4', '"rating": 5'))
  const tampered = await run('verify', file, '--json')
  expect([tampered.code, JSON.parse(tampered.out).holds]).toEqual([1, false])
  const linted = await run('lint', cat)
  expect([linted.code, linted.out]).toEqual([
    1,
    expect.stringContaining('reviews/example-messages/first.json signature'),
  ])
}, 60_000)

test('what cannot be verified or signed is said in one sentence', async () => {
  using folder = tempFolder()
  const run = async (...args: string[]) => await beckon(['catalog', ...args])
  expect((await run('verify', 'http://127.0.0.1:1')).code).toBe(5)
  expect((await run('verify', join(folder.path, 'nothing'))).code).toBe(1)
  expect((await run('verify')).code).toBe(2)
  const bare = await run('verify', folder.path)
  expect([bare.code, bare.err]).toEqual([1, expect.stringContaining('an unpacked snapshot')])
  expect((await run('sign', 'a.json')).code).toBe(2)
  const slip = join(folder.path, 'no-data')
  expect((await run('sign', '--rotate', '--data', slip)).code).toBe(1)
  expect((await run('sign', '--revoke', 'x', '--reason', 'y', '--data', slip)).code).toBe(1)
  expect(existsSync(slip)).toBe(false)
  writeFileSync(join(folder.path, 'odd.tar.gz'), 'no archive')
  const odd = await run('verify', join(folder.path, 'odd.tar.gz'))
  expect([odd.code, odd.err]).toEqual([1, expect.stringContaining('not a snapshot')])
}, 60_000)
