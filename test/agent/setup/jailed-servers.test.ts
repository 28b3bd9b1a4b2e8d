import { expect, test } from 'bun:test'
import { jailInJson, releaseInJson } from '../../../src/agent/client-files/jailed-servers.ts'
import { jailInToml, releaseInToml } from '../../../src/agent/client-files/jailed-toml.ts'

const STARTER = '/home/u/.local/state/beckon/serve-x'
const servers = (at: string[], add: string[], drop: string[] = []) => ({
  ...{ at, add, drop },
  own: 'beckon',
  starter: STARTER,
})

const JSONS: Array<[text: string, at: string[]]> = [
  ['{"mcpServers":{"fs":{"command":"npx","args":["-y","fs"]}}}', ['mcpServers']],
  ['{"mcpServers":{"fs":{"command":"npx","args":[]}}}', ['mcpServers']],
  [
    '{\r\n  "servers": {\r\n    // mine\r\n    "fs": {\r\n      "command": "C:\\\\a \\u0062",\r\n      "args": [\r\n        "-y", // yes\r\n        "fs",\r\n      ],\r\n    },\r\n  },\r\n}\r\n',
    ['servers'],
  ],
  ['{"mcp":{"fs":{"type":"local","command":[ "npx", "fs" ],"enabled":true}}}', ['mcp']],
  ['{"mcp":{"fs":{"command":["npx"]}}}', ['mcp']],
  [
    '{"mcpServers":{},"projects":{"/a.b":{"mcpServers":{"fs":{"command":"x","args":["1"]}}}}}',
    ['mcpServers'],
  ],
]

test.each(JSONS)('what a server was is put back byte for byte: %s', (text, at) => {
  const jailed = jailInJson(text, servers(at, ['fs']))
  expect(jailed).toContain(JSON.stringify(STARTER))
  // Twice is once.
  expect(jailInJson(jailed, servers(at, ['fs']))).toBe(jailed)
  expect(jailInJson(jailed, servers(at, []))).toBe(jailed)
  expect(jailInJson(jailed, servers(at, [], ['fs']))).toBe(text)
  expect(releaseInJson(jailed, servers(at, []))).toBe(text)
})

test('a starter of an earlier place is replaced', () => {
  const text = '{"mcpServers":{"fs":{"command":"/old/beckon/serve-x","args":["npx"]}}}'
  expect(jailInJson(text, servers(['mcpServers'], []))).toContain(STARTER)
})

test('a list of arguments that setup created is removed again', () => {
  const before = '{"mcpServers":{"fs":{"command":"x"},"web":{"url":"https://a"}}}'
  const text = jailInJson(before, servers(['mcpServers'], ['fs', 'web', 'none']))
  expect(JSON.parse(text).mcpServers).toEqual({
    fs: { command: STARTER, args: ['x'] },
    web: { url: 'https://a' },
  })
  expect(releaseInJson(text, servers(['mcpServers'], []))).toBe(before)
})

const TOMLS = [
  '[mcp_servers.fs]\ncommand = "npx" # mine\nargs = ["-y", "fs"]\n',
  `# c\r\n[mcp_servers."fs"]\r\n"command" = 'npx'\r\nargs = [ # two\r\n  '-y',\r\n  "fs", # x\r\n]\r\nenv = { A = "1" }\r\n`,
  '[mcp_servers.fs]\ncommand = "npx"\n\n[mcp_servers.fs.env]\nA = "#"\n',
  '[mcp_servers.fs]\nargs = []\ncommand = """npx"""\n',
]

test.each(TOMLS)('an entry in TOML is changed and undone as in JSON: %s', (text) => {
  const at = ['mcp_servers']
  const jailed = jailInToml(text, servers(at, ['fs']))
  const [before, after] = [text, jailed].map((one) => serverIn(one)) as [Entry, Entry]
  expect(after).toEqual({
    ...before,
    command: STARTER,
    args: [before.command, ...(before.args ?? [])],
  })
  expect(jailInToml(jailed, servers(at, ['fs']))).toBe(jailed)
  expect(jailInToml(jailed, servers(at, [], ['fs']))).toBe(text)
  expect(releaseInToml(jailed, servers(at, []))).toBe(text)
})

type Entry = { command: string; args?: string[] }

function serverIn(text: string): Entry {
  return (Bun.TOML.parse(text) as { mcp_servers: { fs: Entry } }).mcp_servers.fs
}
