import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseXml, type XmlElement } from '@rgrove/parse-xml'
import { launchd } from '../../../src/cli/service/launchd.ts'
import type { ServiceFacts } from '../../../src/cli/service/manager.ts'
import { MANAGERS } from '../../../src/cli/service/managers.ts'
import { isOurs, serviceFile } from '../../../src/cli/service/service-file.ts'
import { systemd } from '../../../src/cli/service/systemd.ts'
import { readWindowsCommandLine } from '../../../src/cli/service/windows-quoting.ts'
import { windowsTask } from '../../../src/cli/service/windows-task.ts'
import { EXIT } from '../../../src/platform/command.ts'
import { standInMachine } from '../../support/service-stand-in.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

const HOSTILE = [
  'a b',
  ' leading and trailing ',
  '50%off',
  '%h %n %%',
  '$HOME',
  '$' + '{HOME}$$',
  'say "hi"',
  "it's",
  'back\\slash',
  'ends with \\',
  'ends with \\\\',
  '\\"',
  'x\\\\"y',
  'a&b<c>d',
  '&amp; ]]> <!-- -->',
  ';',
  '-',
  '@+!:',
  '#hash',
  '`id`$(id)',
  'Ünïcødé 日本 🦜',
  '~',
  '*?[x]',
]

const REFUSED = [
  'two\nlines',
  'car\rriage',
  'nul\0',
  'bell\u0007',
  'line\u2028separator',
  'lone\ud800',
]

function facts(platform: NodeJS.Platform, more: Partial<ServiceFacts> = {}): ServiceFacts {
  using folder = tempFolder()
  const { machine } = standInMachine(folder.path, platform)
  const manager = MANAGERS.find((one) => one.platform === platform) ?? systemd
  return {
    place: manager.place(machine, 'user'),
    program: ['/usr/local/bin/beckon'],
    options: [],
    dataFolder: '/home/ada/data',
    user: 'ada',
    ...more,
  }
}

/** systemd runs no program with quotes or backslashes in its path. */
function programPath(word: string): string {
  return `/opt/${word.replace(/["'\\]/g, '')}/beckon`
}

test.each(['a"b', "it's", 'back\\slash'])(
  'systemd is given no program that it refuses: %p',
  (word) => {
    const input = facts('linux', { program: [`/opt/${word}/beckon`] })
    expect(() => systemd.render(input)).toThrow('no program whose path has quotes or backslashes')
  },
)

describe.each(MANAGERS.map((manager) => [manager.title, manager] as const))('%s', (_, manager) => {
  test.each(HOSTILE)('a word is read back as it was: %p', (word) => {
    const path = manager === systemd ? programPath(word) : `/opt/${word}/beckon`
    const input = facts(manager.platform, {
      program: [path, `--config=${word}`],
      dataFolder: `/srv/${word}`,
      options: ['--base-url', word],
    })
    const text = serviceFile(manager, input)
    expect(manager.commandOf(text)).toEqual([
      path,
      `--config=${word}`,
      'serve',
      '--data',
      `/srv/${word}`,
      '--base-url',
      word,
    ])
  })

  test.each(REFUSED)('a word that is more than a line is refused: %p', (word) => {
    for (const more of [{ program: [`/opt/${word}`] }, { dataFolder: word }, { options: [word] }]) {
      expect(() => manager.render(facts(manager.platform, more))).toThrow(/control character/)
    }
  })

  test('the mark tells a file that was changed by hand', () => {
    const text = serviceFile(manager, facts(manager.platform))
    expect(isOurs(manager, text)).toBe(true)
    expect(isOurs(manager, text.replace('ada', 'eve'))).toBe(false)
    expect(isOurs(manager, `${text}\n`)).toBe(false)
    expect(isOurs(manager, manager.render(facts(manager.platform)))).toBe(false)
    const bytes = manager.encode?.(text) ?? Buffer.from(text)
    expect(manager.decode?.(bytes) ?? Buffer.from(bytes).toString()).toBe(text)
  })
})

test('the unit in the documentation is what is written for the whole machine', async () => {
  using folder = tempFolder()
  const { machine } = standInMachine(folder.path, 'linux')
  const place = systemd.place(machine, 'system')
  const input = facts('linux', { place, dataFolder: place.dataFolder })
  expect(place.file).toBe('/etc/systemd/system/beckon.service')
  const documented = Bun.file(join(import.meta.dir, '../../../docs/ops/beckon.service'))
  expect(await documented.text()).toBe(serviceFile(systemd, input))
})

test('a unit is not started for ever when it cannot start', () => {
  using folder = tempFolder()
  const { machine } = standInMachine(folder.path, 'linux')
  for (const owner of ['user', 'system'] as const) {
    const place = systemd.place(machine, owner)
    const text = serviceFile(systemd, facts('linux', { place, dataFolder: place.dataFolder }))
    const [head = '', service = ''] = text.split('[Service]')
    expect(service).toContain(`\nRestartPreventExitStatus=${EXIT.wrongUsage}\n`)
    expect(head).toMatch(/\nStartLimitIntervalSec=\d+\nStartLimitBurst=\d+\n/)
    const first = systemd.toRestart(machine, place).map(({ words }) => words.join(' '))
    expect(first[0]).toContain('reset-failed')
  }
})

test('with a name of its own the service may open the ports of https', async () => {
  using folder = tempFolder()
  const { machine } = standInMachine(folder.path, 'linux')
  const place = systemd.place(machine, 'system')
  for (const options of [['--domain', 'beckon.example.com'], ['--domain=beckon.example.com']]) {
    const input = facts('linux', { place, dataFolder: place.dataFolder, options })
    const text = serviceFile(systemd, input)
    expect(text).toContain('CapabilityBoundingSet=CAP_NET_BIND_SERVICE\n')
    expect(text).toContain('AmbientCapabilities=CAP_NET_BIND_SERVICE\n')
    expect(text).toContain('PrivateUsers=no\n')
  }
})

function child(element: XmlElement, name: string): XmlElement {
  const match = element.children.find((one) => (one as XmlElement).name === name)
  if (!match) throw new Error(`${element.name} has no ${name}`)
  return match as XmlElement
}

test.each(HOSTILE)('an XML parser reads the property list: %p', (word) => {
  const input = facts('darwin', { dataFolder: word })
  const { root } = parseXml(serviceFile(launchd, input))
  const dict = child(root as XmlElement, 'dict').children.filter((one) => one.type === 'element')
  const at = (key: string) => {
    const index = dict.findIndex((one) => (one as XmlElement).text === key)
    return dict[index + 1] as XmlElement
  }
  const words = at('ProgramArguments').children.filter((one) => one.type === 'element')
  expect(words.map((one) => (one as XmlElement).text)).toEqual([
    '/usr/local/bin/beckon',
    'service',
    'run',
    '--log',
    input.place.logFile ?? '',
    '--',
    '--data',
    word,
  ])
  expect(at('ExitTimeOut').text).toBe('320')
  expect(child(at('KeepAlive'), 'false')).toBeDefined()
})

test('the property list of an earlier version, which has the server itself, is read', () => {
  const words = ['/usr/local/bin/beckon', 'serve', '--data', '/data', '--port', '9000']
  const strings = words.map((word) => `<string>${word}</string>`).join('\n')
  const plist = `<plist><dict><key>ProgramArguments</key><array>${strings}</array></dict></plist>`
  expect(launchd.commandOf(plist)).toEqual(words)
})

test.each(HOSTILE)('an XML parser reads the task, and Windows its command line: %p', (word) => {
  const input = facts('win32', { dataFolder: word, user: `HOST\\${word}` })
  const root = parseXml(serviceFile(windowsTask, input)).root as XmlElement
  expect(child(child(child(root, 'Triggers'), 'LogonTrigger'), 'UserId').text).toBe(`HOST\\${word}`)
  expect(child(child(root, 'Settings'), 'ExecutionTimeLimit').text).toBe('PT0S')
  const line = child(child(child(root, 'Actions'), 'Exec'), 'Arguments').text
  expect(readWindowsCommandLine(line)).toEqual([
    '--headless',
    '/usr/local/bin/beckon',
    'service',
    'run',
    '--log',
    input.place.logFile ?? '',
    '--',
    '--data',
    word,
  ])
})

// The examples of Microsoft's "Parsing C++ command-line arguments".
const PARSED: Array<[line: string, words: string[]]> = [
  ['"abc" d e', ['abc', 'd', 'e']],
  [String.raw`a\\b d"e f"g h`, [String.raw`a\\b`, 'de fg', 'h']],
  [String.raw`a\\\"b c d`, [String.raw`a\"b`, 'c', 'd']],
  [String.raw`a\\\\"b c" d e`, [String.raw`a\\b c`, 'd', 'e']],
]
test.each(PARSED)('a command line of Windows is taken apart as documented: %p', (line, words) => {
  expect(readWindowsCommandLine(line)).toEqual(words)
})

const ANALYZE = Bun.which('systemd-analyze')

test.skipIf(!ANALYZE).each(HOSTILE)('systemd finds the program of a unit: %p', (word) => {
  using folder = tempFolder()
  const program = join(folder.path, programPath(word))
  mkdirSync(dirname(program), { recursive: true })
  writeFileSync(program, '#!/bin/sh\n')
  chmodSync(program, 0o755)
  const unit = join(folder.path, 'beckon.service')
  const input = facts('linux', { program: [program, word], dataFolder: `/srv/${word}` })
  writeFileSync(unit, serviceFile(systemd, input))
  const verified = Bun.spawnSync(['systemd-analyze', '--user', 'verify', '--man=no', unit], {
    env: { ...process.env, XDG_RUNTIME_DIR: folder.path },
  })
  expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ''])
})
