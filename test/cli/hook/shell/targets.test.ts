import { expect, test } from 'bun:test'
import { readShell } from '../../../../src/cli/hook/shell/targets.ts'

const folders = new Set(['/w', '/w/src', '/w/sub'])
const read = (command: string) =>
  readShell(command, '/w', (path) => (folders.has(path) ? 'folder' : undefined))
const touched = (command: string) =>
  read(command).touches.map(({ touch, path }) => `${touch} ${path}`)

test('redirections, commands and changes of folder are followed', () => {
  expect(touched('echo x > a && cd sub && tee b c')).toEqual([
    'write /w/a',
    'write /w/sub/b',
    'write /w/sub/c',
  ])
  expect(touched('bash -lc "rm -rf src"')).toEqual(['tree /w/src'])
  expect(touched('[ -f x ] && [[ a > b ]] && touch c')).toEqual(['write /w/c'])
})

test('what is not known before it runs is opaque', () => {
  for (const command of ['rm $x', 'eval "$x"', 'python -c 1', 'echo x | base64 -d | sh', "echo 'a"])
    expect(read(command).opaque).toBe(true)
})
