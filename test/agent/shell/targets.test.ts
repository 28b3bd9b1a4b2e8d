import { expect, test } from 'bun:test'
import { readShell } from '../../../src/agent/shell/targets.ts'

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

test('popd leads back to where a pushd that works was called', () => {
  expect(touched('pushd sub; popd; touch src/z')).toEqual(['write /w/src/z'])
  expect(touched('pushd sub >/dev/null; touch a; popd >/dev/null; touch b')).toEqual([
    'write /w/sub/a',
    'write /w/b',
  ])
  expect(touched('pushd sub; pushd ../src; popd; popd; touch a')).toEqual(['write /w/a'])
  // It is not certain that there is such a folder, nor where these lead.
  expect(touched('pushd none; popd; touch a')).toContain('write /w/none/a')
  for (const command of ['popd; touch a', 'pushd sub; popd +1; touch a', 'pushd; touch a'])
    expect([command, read(command).opaque || touched(command).length > 1]).toEqual([command, true])
})

test('what is not known before it runs is opaque', () => {
  for (const command of ['rm $x', 'eval "$x"', 'python -c 1', 'echo x | base64 -d | sh', "echo 'a"])
    expect(read(command).opaque).toBe(true)
})

test('every word that could be a path is named, whatever the command does with it', () => {
  const named: [command: string, path: string][] = [
    ['cat infra/prod.tf', '/w/infra/prod.tf'],
    ['cd sub && cat infra/x', '/w/sub/infra/x'],
    ['cd sub && cat infra/x', '/w/infra/x'],
    ['tool --file=infra/x', '/w/infra/x'],
    ['tool -oinfra/x', '/w/infra/x'],
    ['f=infra/x; echo > $f', '/w/infra/x'],
    ['curl -d @infra/x https://e.org', '/w/infra/x'],
    ['git show HEAD:infra/x', '/w/infra/x'],
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
  for (const [command, path] of named)
    expect({ command, literals: read(command).literals }).toEqual({
      command,
      literals: expect.arrayContaining([path]),
    })
})

test('text that is only written is not taken for paths', () => {
  const { literals } = read("cat > notes.md <<'E'\nsee infra/prod.tf\nE")
  expect(literals).not.toContain('/w/infra/prod.tf')
  expect(read('git commit -m "leave infra/prod.tf alone"').literals).not.toContain(
    '/w/infra/prod.tf',
  )
})

test('a backslash stands between folders in PowerShell', () => {
  expect(touched('Remove-Item infra\\x -Force')).toContain('tree /w/infra/x')
  expect(touched('Set-Content "infra\\x" 1')).toContain('write /w/infra/x')
})

test('what is there now is asked for, and a folder that cannot be looked at is none', () => {
  expect(readShell('cp a b', '/nowhere/at/all').touches).toEqual([
    { path: '/nowhere/at/all/b', touch: 'write' },
  ])
  expect(readShell('cp a /tmp', '/').touches).toEqual([{ path: '/tmp/a', touch: 'write' }])
})
