import { expect, test } from 'bun:test'
import { readShell } from '../../../src/agent/shell/targets.ts'

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
  [`cat \${X:-infra}/a`, '/p/infra/a'],
  [`cat "\${X-in}fra/a"`, '/p/infra/a'],
  [`cat < \${X:=infra}/a`, '/p/infra/a'],
  [`cat \${X:+infra}/a`, '/p/infra/a'],
  [`cat \${X:-\${Y:-infra}}/a`, '/p/infra/a'],
  [`d=inf; cat \${X:-\${d}ra}/a`, '/p/infra/a'],
  [`F=\${X:-infra}/a; cat $F`, '/p/infra/a'],
  [`for f in \${X:-infra}/a; do cat $f; done`, '/p/infra/a'],
  [`echo x > \${X:-infra}/a`, '/p/infra/a'],
]

test('what a word names behind a part that is not known is named all the same', () => {
  for (const [command, path] of NAMED) {
    const { literals } = readShell(command, '/p', () => 'folder')
    expect([command, literals]).toEqual([command, expect.arrayContaining([path])])
  }
})

test('a pattern for any folder names no file that is not there', () => {
  const look = (path: string) => (path.endsWith('package.json') ? undefined : ('folder' as const))
  const list = (folder: string) => (folder === '/p/' ? ['infra', 'src'] : undefined)
  expect(readShell('cat */package.json', '/p', look, list).literals).not.toContain(
    '/p/infra/package.json',
  )
  expect(readShell('touch inf*/package.json', '/p', look, list).literals).toContain(
    '/p/infra/package.json',
  )
})
