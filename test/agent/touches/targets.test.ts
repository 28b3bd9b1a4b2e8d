import { expect, test } from 'bun:test'
import { readTouches } from '../../../src/agent/touches/touches.ts'

const folders = new Set(['/w', '/w/src', '/w/sub'])
const read = (command: string) =>
  readTouches(command, { cwd: '/w', look: (path) => (folders.has(path) ? 'folder' : undefined) })
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

test('where popd leads to is not known', () => {
  expect(touched('pushd sub; touch a')).toContain('write /w/sub/a')
  for (const command of ['popd; touch a', 'pushd sub; popd; touch src/z', 'pushd; touch a'])
    expect([command, read(command).open]).toEqual([command, expect.any(String)])
})

test('what is not known before it runs is open', () => {
  for (const command of ['rm $x', 'eval "$x"', 'python -c 1', 'echo x | base64 -d | sh', "echo 'a"])
    expect(read(command).open).toBeDefined()
})

test('every word that could be a path is named, whatever the command does with it', () => {
  const cases: [command: string, path: string][] = [
    ['cat infra/prod.tf', '/w/infra/prod.tf'],
    ['cd sub && cat infra/x', '/w/sub/infra/x'],
    ['cd sub && cat infra/x', '/w/infra/x'],
    ['tool --file=infra/x', '/w/infra/x'],
    ['tool -oinfra/x', '/w/infra/x'],
    ['f=infra/x; echo > $f', '/w/infra/x'],
    ['curl -d @infra/x https://e.org', '/w/infra/x'],
    ['git show HEAD:infra/x', '/w/infra/x'],
    ['git show :1:infra/x', '/w/infra/x'],
    ['git show stash@{0}:infra/x', '/w/infra/x'],
    ['cat < infra/x', '/w/infra/x'],
    ['cat infra/*.tf', '/w/infra/'],
    ['cp "infra/$name" a', '/w/infra/'],
    ['python -c "open(\'infra/x\')"', '/w/infra/x'],
    ["node <<'E'\nrm('infra/x')\nE", '/w/infra/x'],
    ['for f in infra/x; do cat $f; done', '/w/infra/x'],
    ['cat ~/.ssh/id', '~/.ssh/id'],
    ['cat “infra”', '/w/infra'],
    ["echo 'infra/x", '/w/infra/x'],
    ['cat i\\nfra/x', '/w/infra/x'],
  ]
  for (const [command, path] of cases)
    expect({ command, names: read(command).names }).toEqual({
      command,
      names: expect.arrayContaining([path]),
    })
})

test('text that is only written is not taken for paths', () => {
  const { names } = read("cat > notes.md <<'E'\nsee infra/prod.tf\nE")
  expect(names).not.toContain('/w/infra/prod.tf')
  expect(read('git commit -m "leave infra/prod.tf alone"').names).not.toContain('/w/infra/prod.tf')
})

test('a backslash stands between folders in PowerShell', () => {
  expect(touched('Remove-Item infra\\x -Force')).toContain('tree /w/infra/x')
  expect(touched('Set-Content "infra\\x" 1')).toContain('write /w/infra/x')
})

test('what is there now is asked for, and a folder that cannot be looked at is none', () => {
  expect(readTouches('cp a b', { cwd: '/nowhere/at/all' }).touches).toEqual([
    { path: '/nowhere/at/all/b', touch: 'write' },
  ])
  expect(readTouches('cp a /tmp', { cwd: '/' }).touches).toEqual([
    { path: '/tmp/a', touch: 'write' },
  ])
})

test('a patch that an agent applies is read, and one that is not known is open', () => {
  const patch = '*** Begin Patch\n*** Update File: src/a\n*** Delete File: ../b\n*** End Patch'
  const { touches, open } = readTouches(`cd sub && apply_patch <<'E'\n${patch}\nE`, { cwd: '/w' })
  expect(touches.map(({ touch, path }) => `${touch} ${path}`)).toEqual([
    'write /w/sub/src/a',
    'delete /w/sub/../b',
  ])
  expect(open).toBeUndefined()
  for (const command of ['apply_patch "$p"', 'apply_patch < p', 'cat p | apply_patch'])
    expect([command, read(command).open]).toEqual([command, expect.any(String)])
})
