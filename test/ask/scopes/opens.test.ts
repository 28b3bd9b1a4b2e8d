import { expect, test } from 'bun:test'
import { opensOf } from '../../../src/ask/scopes/model/opens.ts'
import { readGlobs } from '../../../src/ask/scopes/model/read-globs.ts'

function opens(allowed: string[], offLimits: string[] = []) {
  const [allowedPaths, offLimitsPaths] = [allowed, offLimits].map((list) => {
    const { paths, refused } = readGlobs(list)
    expect(refused).toEqual([])
    return paths
  })
  return opensOf({ allowedPaths: allowedPaths ?? [], offLimitsPaths: offLimitsPaths ?? [] })
}

const EVERYTHING = 'Everything on this machine.'
const REPOSITORY = 'All of the repository.'
const WIDE: [string[], string][] = [
  [['/'], EVERYTHING],
  [['/**'], EVERYTHING],
  [['/*/**'], EVERYTHING],
  [['{/,a}'], EVERYTHING],
  [['/', 'src'], EVERYTHING],
  [['/[!x]*/**'], 'Nearly everything on this machine and all of the repository.'],
  [['/*'], 'Every file at the top of this machine.'],
  [[], REPOSITORY],
  [['**'], REPOSITORY],
  [['.'], REPOSITORY],
  [['{**,a}'], REPOSITORY],
  [['**/*'], REPOSITORY],
  [['?*/**', '?*'], REPOSITORY],
  [['[a-z]*/**'], 'Nearly all of the repository.'],
  [['*'], 'Every file at the top of the repository.'],
  [['C:\\'], 'All of drive C:.'],
  [['c:/users/me'], 'The whole home folder C:/users/me.'],
  [['/home/me'], 'The whole home folder /home/me.'],
  [['/home/*/**'], 'The home folders of this machine.'],
  [['/Users'], 'The home folders of this machine.'],
  [['/root'], 'The home folder of root.'],
  [['/etc/nginx'], '/etc/nginx of the system.'],
  [['/srv/app'], '/srv/app on this machine.'],
  [['**', '/home/me'], 'All of the repository and the whole home folder /home/me.'],
]
test.each(WIDE)('%j opens more than some paths', (allowed, what) => {
  expect(opens(allowed)).toEqual({ what, isWide: true })
})

test('some paths of the repository are named, and how many there are', () => {
  expect(opens(['src'])).toEqual({ what: 'One path in the repository: src.', isWide: false })
  expect(opens(['src', 'docs']).what).toBe('2 paths in the repository: src and docs.')
  const many = Array.from({ length: 40 }, (_, i) => `folder-${i}`)
  expect(opens(many).what).toBe(
    '40 paths in the repository: folder-0, folder-1, folder-2 and 37 more.',
  )
})

test('what is off limits is said behind it', () => {
  expect(opens(['**'], ['.env', 'secrets']).what).toBe(
    'All of the repository, except .env and secrets.',
  )
  expect(opens(['/'], ['/etc']).what).toBe('Everything on this machine, except /etc.')
})

test('long names and many rules stay a sentence', () => {
  const long = Array.from({ length: 40 }, (_, i) => `${i}${'x'.repeat(190)}`)
  expect([...opens(long, long).what].length).toBeLessThan(500)
  const wild = Array.from({ length: 512 }, (_, i) => `**/a*${i}*b?[c-d]*/**`)
  expect(opensOf({ allowedPaths: wild, offLimitsPaths: [] }).what).toContain('512 paths')
})

test.each([['~'], ['~/x'], ['../**'], ['a/../..']])('%s never becomes a rule', (glob) => {
  expect(readGlobs([glob]).refused).toHaveLength(1)
})
