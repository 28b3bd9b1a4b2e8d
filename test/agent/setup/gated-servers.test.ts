import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import type { DesiredJson } from '../../../src/agent/client-files/desired-json.ts'
import { undoJson, writeJson } from '../../../src/agent/client-files/desired-json.ts'
import {
  type DesiredToml,
  undoToml,
  writeToml,
} from '../../../src/agent/client-files/desired-toml.ts'
import {
  type GatedServers,
  gateInJson,
  gatesInJson,
  type ToolLimit,
} from '../../../src/agent/client-files/gated-servers.ts'
import { gateInToml } from '../../../src/agent/client-files/gated-toml.ts'

const STARTER = '/home/u/.local/state/beckon/serve-x'
const MS = { key: 'timeout', perSecond: 1000 } as const
const SECONDS = { key: 'tool_timeout_sec', perSecond: 1 } as const

function gates(
  at: readonly string[],
  [add, drop]: [add: string[], drop?: string[]],
  limit: ToolLimit | undefined = MS,
): GatedServers {
  const wordsOf = (name: string, holdS: number) => [
    ...['/usr/bin/env', '-uBECKON_URL', 'beckon', 'gate', name, '--hold', String(holdS), '--'],
  ]
  return { at, own: 'beckon', wordsOf, limit, add, drop: drop ?? [] }
}

const JSONS: Array<[text: string, at: string[]]> = [
  ['{"mcpServers":{"fs":{"command":"npx","args":["-y","fs"]}}}', ['mcpServers']],
  ['{"mcpServers":{"fs":{"command":"npx","args":[]}}}', ['mcpServers']],
  ['{"mcpServers":{"fs":{"command":"npx","args":[ ]}}}', ['mcpServers']],
  ['{"mcpServers":{"fs":{"command":"npx"}}}', ['mcpServers']],
  ['{\n  "mcpServers": {\n    "fs": { "command": "npx" }\n  }\n}\n', ['mcpServers']],
  [
    '{\r\n  "servers": {\r\n    // mine\r\n    "fs": {\r\n      "command": "C:\\\\a \\u0062",\r\n      "args": [\r\n        "-y", // yes\r\n        "fs",\r\n      ],\r\n    },\r\n  },\r\n}\r\n',
    ['servers'],
  ],
  ['{"mcp":{"fs":{"type":"local","command":[ "npx", "fs" ],"enabled":true}}}', ['mcp']],
  ['{"mcp":{"fs":{"command":["npx"],"timeout":5000}}}', ['mcp']],
  [
    '{"mcpServers":{},"projects":{"/a.b":{"mcpServers":{"fs":{"command":"x","args":["1"]}}}}}',
    ['mcpServers'],
  ],
]

test.each(JSONS)('a gate comes before a server and leaves it byte for byte: %s', (text, at) => {
  const gated = gateInJson(text, gates(at, [['fs']]))
  expect(gatesInJson(gated, { at, own: 'beckon' })).toMatchObject([{ name: 'fs', is: 'gated' }])
  expect(gateInJson(gated, gates(at, [['fs']]))).toBe(gated)
  expect(gateInJson(gated, gates(at, [[], ['other']]))).toBe(gated)
  expect(gateInJson(gated, gates(at, [[], ['fs']]))).toBe(text)
})

test.each(JSONS)('the jail is within the gate, whichever came first: %s', (text, at) => {
  type Names = { jail: string[]; gate: string[] }
  const desired = (add: Names): DesiredJson => ({
    ...{ kind: 'json', path: 'x', values: [], lists: [], isOurs: () => false },
    servers: { at, own: 'beckon', starter: STARTER, add: add.jail, drop: [] },
    gates: gates(at, [add.gate]),
  })
  const jail: Names = { jail: ['fs'], gate: [] }
  const gate: Names = { jail: [], gate: ['fs'] }
  const write = (before: string, add: Names) => writeJson(before, desired(add)).text
  const both = write(write(text, jail), gate)
  const other = write(write(text, gate), jail)
  expect(parse(other)).toEqual(parse(both))
  expect(undoJson(other, desired({ jail: [], gate: [] }), [])).toBe(text)
  expect(both.indexOf('--hold')).toBeLessThan(both.indexOf(STARTER))
  expect(undoJson(both, desired({ jail: [], gate: [] }), [])).toBe(text)
})

test('whatever the words and the layout are, nothing of them is lost', () => {
  const word = fc.string({ unit: 'grapheme' })
  const entry = fc.record(
    { command: word, args: fc.array(word), env: fc.dictionary(fc.string(), word) },
    { requiredKeys: ['command'] },
  )
  const check = fc.property(entry, fc.constantFrom(0, 2, '\t'), (server, indent) => {
    const text = JSON.stringify({ mcpServers: { fs: server } }, undefined, indent)
    const gated = gateInJson(text, gates(['mcpServers'], [['fs']]))
    const { command, args } = JSON.parse(gated).mcpServers.fs
    const words = gates([], [[]]).wordsOf('fs', 600)
    expect([command, ...args]).toEqual([...words, server.command, ...(server.args ?? [])])
    expect(gateInJson(gated, gates(['mcpServers'], [[], ['fs']]))).toBe(text)
  })
  fc.assert(check, { seed: 47, numRuns: 300 })
})

test('without a limit in the entry it is raised; the person’s own stays, and shortens the hold', () => {
  const entry = (more: object, limit?: ToolLimit) => {
    const text = JSON.stringify({ mcpServers: { fs: { command: 'x', ...more } } })
    const gated = JSON.parse(gateInJson(text, gates(['mcpServers'], [['fs']], limit)))
    const { args, timeout } = gated.mcpServers.fs
    return { holdS: Number(args[args.indexOf('--hold') + 1]), timeout }
  }
  expect(entry({})).toEqual({ holdS: 600, timeout: 660_000 })
  expect(entry({ timeout: 90_000 })).toEqual({ holdS: 70, timeout: 90_000 })
  expect(entry({ timeout: 5_000 })).toEqual({ holdS: 10, timeout: 5_000 })
  expect(entry({ timeout: 660_000 })).toEqual({ holdS: 599, timeout: 660_000 })
  const unknown = JSON.stringify({ servers: { fs: { command: 'x' } } })
  const gated = gateInJson(unknown, { ...gates(['servers'], [['fs']]), limit: undefined })
  expect(JSON.parse(gated).servers.fs.timeout).toBeUndefined()
  expect(gated).toContain('"--hold", "50"')
})

test('a server elsewhere and our own are never behind a gate', () => {
  const text = '{"mcpServers":{"web":{"url":"https://a"},"beckon":{"command":"beckon"}}}'
  expect(gateInJson(text, gates(['mcpServers'], [['web', 'beckon']]))).toBe(text)
})

const TOMLS = [
  '[mcp_servers.fs]\ncommand = "npx" # mine\nargs = ["-y", "fs"]\n',
  `# c\r\n[mcp_servers."fs"]\r\n"command" = 'npx'\r\nargs = [ # two\r\n  '-y',\r\n  "fs", # x\r\n]\r\nenv = { A = "1" }\r\n`,
  '[mcp_servers.fs]\ncommand = "npx"\n\n[mcp_servers.fs.env]\nA = "#"\n',
  '[mcp_servers.fs]\nargs = []\ntool_timeout_sec = 60\ncommand = """npx"""\n',
]

test.each(TOMLS)('an entry in TOML is changed and undone as in JSON: %s', (text) => {
  const at = ['mcp_servers']
  const gated = gateInToml(text, gates(at, [['fs']], SECONDS))
  const [before, after] = [text, gated].map((one) => serverIn(one)) as [Entry, Entry]
  const own = before.tool_timeout_sec
  const words = gates(at, [[]]).wordsOf('fs', own === undefined ? 600 : own - 20)
  expect([after.command, ...(after.args ?? [])]).toEqual([
    ...words,
    before.command,
    ...(before.args ?? []),
  ])
  expect(after.tool_timeout_sec).toBe(own ?? 660)
  expect(gateInToml(gated, gates(at, [['fs']], SECONDS))).toBe(gated)
  expect(gateInToml(gated, gates(at, [[], ['fs']], SECONDS))).toBe(text)

  const desired = (jail: string[], gate: string[]): DesiredToml => ({
    ...{ kind: 'toml', path: 'x', tables: [], lists: [], hooksAt: 'hooks', isOurs: () => false },
    servers: { at, own: 'beckon', starter: STARTER, add: jail, drop: [] },
    gates: gates(at, [gate], SECONDS),
  })
  const both = writeToml(writeToml(text, desired(['fs'], [])), desired([], ['fs']))
  expect(writeToml(writeToml(text, desired([], ['fs'])), desired(['fs'], []))).toBe(both)
  expect(undoToml(both, desired([], []))).toBe(text)
})

type Entry = { command: string; args?: string[]; tool_timeout_sec?: number }

function serverIn(text: string): Entry {
  return (Bun.TOML.parse(text) as { mcp_servers: { fs: Entry } }).mcp_servers.fs
}
