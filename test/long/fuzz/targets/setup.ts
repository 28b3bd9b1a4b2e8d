import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { BrokenFile } from '../../../../src/agent/client-files/broken-file.ts'
import {
  type DesiredJson,
  undoJson,
  writeJson,
} from '../../../../src/agent/client-files/desired-json.ts'
import {
  type DesiredToml,
  undoToml,
  writeToml,
} from '../../../../src/agent/client-files/desired-toml.ts'
import { isOurHook } from '../../../../src/agent/client-files/entries.ts'
import { readTimeout } from '../../../../src/agent/commands/wait.ts'
import { readUrl } from '../../../../src/agent/setup/server.ts'
import { WrongUsage } from '../../../../src/platform/failure.ts'
import { readArguments, readOpenArguments } from '../../../../src/platform/terminal/arguments.ts'
import { configReader, readConfig } from '../../../../src/settings.ts'
import { mutatedText, nearly, ODD_TEXT } from '../mutate.ts'
import { type Became, must, parser, refused, type Target } from '../target.ts'

const hookEntry = { type: 'command', command: '/opt/beckon/beckon', args: ['hook', 'claude'] }
const JSON_WISH: DesiredJson = {
  ...{ kind: 'json', path: 'settings.json', hooksAt: ['hooks'] },
  values: [{ at: ['mcpServers', 'beckon'], value: { command: 'beckon', args: ['mcp'] } }],
  lists: [
    { at: ['permissions', 'allow'], items: ['mcp__beckon__*'] },
    { at: ['hooks', 'Stop'], items: [{ matcher: '*', hooks: [hookEntry] }] },
  ],
  isOurs: (entry) => isOurHook(entry, 'claude'),
}
const JSON_TEXTS = [
  '{}\n',
  '{ "a": 1, // note\n  "hooks": { "Stop": [ ] }, }',
  '{\r\n\t"permissions": { "allow": ["Bash(ls)"], /* d */ "deny": [] }\r\n}',
  '{"mcpServers":{"beckon":{"command":"old"}},"hooks":{"Stop":[{"hooks":[{"command":"/x/beckon hook claude"}]},1]}}',
]
const JSON_PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '//',
  '/*',
  '*/',
  '\n',
  '\r\n',
  '\t',
  'null',
  '\\',
  '\\u0000',
  '"hooks":',
  '"Stop":',
]

const TOML_WISH: DesiredToml = {
  ...{ kind: 'toml', path: 'config.toml', hooksAt: 'hooks' },
  tables: [
    {
      at: ['mcp_servers', 'beckon'],
      text: '[mcp_servers.beckon]\ncommand = "beckon"\nargs = ["mcp"]',
    },
  ],
  lists: [
    {
      at: ['hooks', 'Stop'],
      text: '[[hooks.Stop]]\n\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "/opt/beckon/beckon hook codex"',
    },
  ],
  isOurs: (entry) => isOurHook(entry, 'codex'),
}
const TOML_TEXTS = [
  'model = "x"   # keep\n\n[a]\nb = 1\n',
  '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \'/usr/bin/guard\'\n\n[hooks.state."a:b"]\nx = 1\n',
  'a = """\n[[hooks.Stop]]\n"""\r\n["mcp_servers".\'other\']\r\nc = [1,\r\n 2]\r\n',
  'd = 2026-11-21T08:00:00Z\ne = { f = 1e3, g = [ {h = 0x1} ] }\n',
]
const TOML_PIECES = [
  '[',
  ']',
  '[[',
  ']]',
  '"',
  "'",
  '"""',
  "'''",
  '=',
  '.',
  '#',
  '\n',
  '\r\n',
  '\r',
  '\\',
  'hooks',
  'Stop',
  '{',
  '}',
  ',',
]

/** What cannot be changed safely is left alone, and says why. */
function orBroken(change: () => void): Became {
  try {
    change()
    return 'taken'
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    must(error.message.length > 10, `says too little: ${error.message}`)
    return 'refused'
  }
}

/** One sentence that names what is wrong. */
function orWrongUsage(read: () => unknown): Became {
  try {
    read()
    return 'taken'
  } catch (error) {
    if (error instanceof WrongUsage) {
      must(error.message.length > 10, `says too little: ${error.message}`)
      return 'refused'
    }
    return refused(error)
  }
}

const data = (text: string): unknown => parse(text, [], { allowTrailingComma: true })

const folder = mkdtempSync(join(tmpdir(), 'beckon-fuzz-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const ENV_VALUES = [
  ...[
    '127.0.0.1',
    '8484',
    'https://a.example',
    'on',
    'off',
    'json',
    'debug',
    '90',
    'mailto:a@b.co',
  ],
  ...['10.0.0.0/8,*.x', 'a,b', 'http://[::1]:1', '::1', '0', '65536', '/etc', 'true', 'xoxb-1'],
]
const environment = fc.dictionary(
  fc.constantFrom(
    ...configReader.variables.filter((name) => name !== 'BECKON_DATA'),
    ...['BECKON_PORT_FILE', 'BECKON_X', 'BECKON_', 'BECKON_FILE', 'BECKON_TOKEN_FILE'],
  ),
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...ENV_VALUES) },
    ODD_TEXT.filter((text) => !text.includes('\0')),
  ),
  { maxKeys: 4, noNullPrototype: true },
)
const SETTINGS = [
  'host = "127.0.0.1"\nport = 8484\nallow_private_hosts = ["10.0.0.0/8", "nas"]\n',
  'base_url = "https://a.example"\nlog = "json"\nretention_days = 30\ntrust_proxy = "loopback, 10.0.0.0/8"\n',
]
const OPTIONS = {
  data: { type: 'string' },
  json: { type: 'boolean' },
  tag: { type: 'string', multiple: true },
} as const

export const SETUP_TARGETS: readonly Target[] = [
  parser(
    'setup: JSON with comments',
    [
      'src/agent/client-files/desired-json.ts#writeJson',
      'src/agent/client-files/desired-json.ts#undoJson',
      'src/agent/client-files/json-document.ts#readTree',
    ],
    mutatedText(JSON_TEXTS, JSON_PIECES),
    (before) =>
      orBroken(() => {
        const { text, made: paths } = writeJson(before, JSON_WISH)
        must(writeJson(text, JSON_WISH).text === text, 'twice is not once')
        must(JSON.stringify(data(text)).includes('mcp__beckon__*'), 'ours is not in it')
        undoJson(text, JSON_WISH, paths)
      }),
  ),
  parser(
    'setup: TOML',
    [
      'src/agent/client-files/desired-toml.ts#writeToml',
      'src/agent/client-files/desired-toml.ts#undoToml',
      'src/agent/client-files/toml-sections.ts#readToml',
      'src/agent/client-files/toml-sections.ts#sectionsOf',
    ],
    mutatedText(TOML_TEXTS, TOML_PIECES),
    (before) =>
      orBroken(() => {
        const text = writeToml(before, TOML_WISH)
        must(writeToml(text, TOML_WISH) === text, 'twice is not once')
        const hadOurs = undoToml(before, TOML_WISH) !== before
        if (hadOurs) return
        // What did not end in a line of its own does afterwards.
        const whole = /[\r\n]$/.test(before) || before === '' ? before : `${before}\n`
        const after = undoToml(text, TOML_WISH)
        must(
          after.replace(/\r?\n$/, '') === whole.replace(/\r?\n$/, ''),
          `undo is not what was: ${JSON.stringify(after)}`,
        )
      }),
  ),
  parser(
    'setup: whose hook an entry is',
    ['src/agent/client-files/entries.ts#isOurHook'],
    nearly({ matcher: '*', hooks: [hookEntry] }, { command: '/x/beckon hook claude' }),
    (entry) => (isOurHook(entry, 'claude') ? 'taken' : 'refused'),
  ),
  parser(
    'setup: the address of a server',
    ['src/agent/setup/server.ts#readUrl'],
    mutatedText(['https://beckon.example', 'http://localhost:8484', 'nas:8484']),
    (text) => orWrongUsage(() => readUrl(text)),
  ),
  parser(
    'configuration: the environment and flags',
    ['src/platform/config/env.ts#readVariables', 'src/settings.ts#readConfig'],
    fc.tuple(environment, environment),
    ([env, flags]) =>
      orWrongUsage(() => {
        const values = Object.values(flags)
        const options = {
          ...(values[0] === undefined ? {} : { host: values[0] }),
          ...(values[1] === undefined ? {} : { port: values[1] }),
          ...(values[2] === undefined ? {} : { 'base-url': values[2] }),
        }
        const config = readConfig({ data: folder, ...options }, env)
        must(URL.canParse(config.baseUrl), `no address: ${config.baseUrl}`)
        configReader.readPreviewConfig(options, env)
      }),
  ),
  parser(
    'configuration: beckon.toml',
    ['src/platform/config/settings-file.ts#readSettingsFile'],
    mutatedText(SETTINGS, TOML_PIECES),
    (text) =>
      orWrongUsage(() => {
        writeFileSync(join(folder, 'beckon.toml'), text)
        try {
          readConfig({ data: folder }, {})
        } finally {
          rmSync(join(folder, 'beckon.toml'))
        }
      }),
  ),
  parser(
    'commands: arguments',
    [
      'src/platform/terminal/arguments.ts#readArguments',
      'src/platform/terminal/arguments.ts#readOpenArguments',
      'src/agent/commands/wait.ts#readTimeout',
    ],
    fc.array(
      fc.oneof(
        fc.constantFrom(
          '--json',
          '--data',
          '--data=x',
          '-x',
          '--',
          '--no-json',
          'a',
          '--tag',
          '--__proto__',
        ),
        ODD_TEXT,
      ),
      { maxLength: 5 },
    ),
    (args) =>
      orWrongUsage(() => {
        readOpenArguments(args, OPTIONS)
        for (const arg of args) if (/^\d/.test(arg)) readTimeout(arg)
        readArguments(args, OPTIONS, ['first'])
      }),
  ),
]
