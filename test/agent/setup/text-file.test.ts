import { expect, test } from 'bun:test'
import { existsSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrokenFile } from '../../../src/agent/client-files/broken-file.ts'
import { isOurHook } from '../../../src/agent/client-files/entries.ts'
import { commandLine } from '../../../src/agent/client-files/program.ts'
import { readTextFile, removeFile, replaceFile } from '../../../src/agent/client-files/text-file.ts'
import { planWrite } from '../../../src/agent/setup/change.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('what somebody else wrote between the look and the write is not lost', () => {
  using folder = tempFolder()
  const path = join(folder.path, 'a.json')
  writeFileSync(path, 'one')
  const file = readTextFile(path)
  writeFileSync(path, 'two')
  expect(() => replaceFile(file, bytes('three'), 0o600)).toThrow(/changed in the meantime/)
  expect(() => removeFile(file)).toThrow(BrokenFile)
  expect(readFileSync(path, 'utf8')).toBe('two')

  const fresh = readTextFile(join(folder.path, 'b.json'))
  writeFileSync(fresh.path, 'theirs')
  expect(() => replaceFile(fresh, bytes('ours'), 0o600)).toThrow(/changed in the meantime/)
  expect(readFileSync(fresh.path, 'utf8')).toBe('theirs')
  const left = [...new Bun.Glob('.beckon-*').scanSync({ cwd: folder.path, dot: true })]
  expect(left).toEqual([])
})

test('a link to a file that is not there yet makes that file, and stays a link', () => {
  using folder = tempFolder()
  symlinkSync('real.json', join(folder.path, 'link.json'))
  const file = readTextFile(join(folder.path, 'link.json'))
  replaceFile(file, bytes('{}'), 0o600)
  expect(readFileSync(join(folder.path, 'real.json'), 'utf8')).toBe('{}')
})

test('a circle of links, a folder, a huge file and a missing folder are told apart', () => {
  using folder = tempFolder()
  const at = (name: string) => join(folder.path, name)
  symlinkSync('b', at('a'))
  symlinkSync('a', at('b'))
  expect(() => readTextFile(at('a'))).toThrow(/go round in a circle/)
  expect(() => readTextFile(folder.path)).toThrow(/not a file/)
  writeFileSync(at('huge'), '')
  truncateSync(at('huge'), 33 * 1024 * 1024)
  expect(() => readTextFile(at('huge'))).toThrow(/larger than 32 MiB/)
  expect(() => replaceFile(readTextFile(at('none/x')), bytes('x'), 0o600)).toThrow(
    /folder is missing/,
  )
})

test('a whole file of somebody else is not overwritten', () => {
  using folder = tempFolder()
  const path = join(folder.path, 'PreToolUse')
  writeFileSync(path, '#!/bin/sh\nexec guard\n')
  const request = { kind: 'own' as const, path, text: 'ours' }
  expect(() => planWrite('cline', request)).toThrow(/not written by beckon/)
  expect(existsSync(path)).toBe(true)
})

test('an entry is ours by its mark or as beckon itself, with hook and the name of the client, in every spelling', () => {
  const own = [
    { command: '/opt/x/beckon hook codex' },
    { command: "'/opt/my tools/beckon-0.1.0' hook codex PreToolUse" },
    { command: 'C:\\\\x\\\\beckon.exe hook codex' },
    { command: '/opt/bk hook codex --strict --from=setup' },
    { command: '/usr/bin/env -uBUN_BE_BUN /opt/bk hook codex PreToolUse' },
    { command: '"/opt/x/beckon" hook codex' },
    { command: '/usr/bin/env', args: ['-uBUN_BE_BUN', '/bun', '/src/main.ts', 'hook', 'codex'] },
    { bash: commandLine(["/it's/beckon", 'hook', 'codex']) },
    { matcher: '*', hooks: [{ type: 'command', command: 'beckon hook codex' }] },
  ]
  for (const entry of own) expect([entry, isOurHook(entry, 'codex')]).toEqual([entry, true])
  const foreign = [
    ...[null, 1, 'beckon hook codex', [], {}],
    { command: 'beckon hook claude' },
    { command: 'echo hook codex' },
    { command: 'beckon codex' },
    { command: '/opt/beckon-lights hook codex' },
    { command: '/usr/bin/bun', args: ['/their/main.ts', 'hook', 'codex'] },
    { hooks: [] },
    { hooks: [{ command: 'beckon hook codex' }, { command: 'guard' }] },
  ]
  for (const entry of foreign) expect([entry, isOurHook(entry, 'codex')]).toEqual([entry, false])
})
