import { expect, test } from 'bun:test'
import { readTouches } from '../../../src/agent/touches/touches.ts'

const NAMED: Array<[command: string, path: string]> = [
  ['echo x > $PWD/infra/a', '/p/infra/a'],
  [`echo x > "\${PWD}/infra/a"`, '/p/infra/a'],
  ['rm -rf "$PWD"/infra', '/p/infra'],
  ['touch $(pwd)/infra/a', '/p/infra/a'],
  ['touch `git rev-parse --show-toplevel`/infra/a', '/p/infra/a'],
  ['touch src/$x/../../infra/a', '/p/src/x/../../infra/a'],
  ['docker run -v $PWD/infra:/x alpine', '/p/infra'],
  ['cat $name.pem', '/p/x.pem'],
  ['cat src/*.pem', '/p/src/*.pem'],
  ['cat **/.env', '/p/**/.env'],
]

// What it may name is put together by the shell.
const UNKNOWN = [
  `cat \${X:-infra}/a`,
  `cat "\${X-in}fra/a"`,
  `cat < \${X:=infra}/a`,
  `cat \${X:+infra}/a`,
  `cat \${X:-\${Y:-infra}}/a`,
  `d=inf; cat \${X:-\${d}ra}/a`,
  `F=\${X:-infra}/a; cat $F`,
  `for f in \${X:-infra}/a; do cat $f; done`,
  `echo x > \${X:-infra}/a`,
]

test('what a word names behind a part that is not known is named all the same', () => {
  for (const [command, path] of NAMED) {
    const { names } = readTouches(command, { cwd: '/p', look: () => 'folder' })
    expect([command, names]).toEqual([command, expect.arrayContaining([path])])
  }
})

test('a name that the shell puts together is not known', () => {
  for (const command of UNKNOWN) {
    const { open, reads } = readTouches(command, { cwd: '/p', look: () => 'folder' })
    expect([command, open ?? reads]).toEqual([command, expect.any(String)])
  }
})

test('a pattern for any folder names no file that is not there', () => {
  const look = (path: string) => (path.endsWith('package.json') ? undefined : ('folder' as const))
  const list = (folder: string) => (folder === '/p/' ? ['infra', 'src'] : undefined)
  expect(readTouches('cat */package.json', { cwd: '/p', look, list }).names).not.toContain(
    '/p/infra/package.json',
  )
  expect(readTouches('touch inf*/package.json', { cwd: '/p', look, list }).names).toContain(
    '/p/infra/package.json',
  )
})
