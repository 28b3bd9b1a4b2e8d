import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { BrokenFile } from '../../../src/agent/client-files/broken-file.ts'
import {
  type DesiredJson,
  undoJson,
  writeJson,
} from '../../../src/agent/client-files/desired-json.ts'
import { isOurHook } from '../../../src/agent/client-files/entries.ts'
import { howOften } from '../../support/share.ts'

function group(command = '/opt/beckon/beckon') {
  const entry = { type: 'command', command, args: ['hook', 'claude'], timeout: 600 }
  return { matcher: '*', hooks: [entry] }
}

function request(command?: string): DesiredJson {
  return {
    kind: 'json',
    path: 'settings.json',
    values: [{ at: ['mcpServers', 'beckon'], value: { command: 'beckon', args: ['mcp'] } }],
    lists: [
      { at: ['permissions', 'allow'], items: ['mcp__beckon__*'] },
      { at: ['hooks', 'PreToolUse'], items: [group(command)] },
      { at: ['hooks', 'Stop'], items: [group(command)] },
    ],
    hooksAt: ['hooks'],
    isOurs: (entry) => isOurHook(entry, 'claude'),
  }
}

const DOCUMENTS: Record<string, string> = {
  'an empty object': '{}\n',
  'one line without blanks': '{"a":1,"permissions":{"allow":[]}}',
  'one line with blanks': '{ "a": 1, "hooks": { "Stop": [] } }',
  'a comma at the end': '{ "a": 1, }\n',
  'tabs and comments': '{\n\t"a": 1 // stays beside a\n\t// the end\n}\n',
  'a comment over lines': '{\n  "a": 1 /* one\n  two */\n}\n',
  'only a comment inside': '// above\n{\n  // nothing yet\n}\n',
  'windows lines': '{\r\n    "a": [\r\n        1,\r\n    ], // b\r\n}\r\n',
  'no end of line at the end': '{\n  "a": 1\n}',
  'foreign hooks': `{
  "hooks": {
    // guards
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "/usr/bin/guard" }] } // first
    ],
    "Notification": [{ "hooks": [{ "type": "command", "command": "say hook claude" }] }]
  },
  "permissions": { "allow": ["Bash(ls)"], /* d */ "deny": [] }, // p
}
`,
  'hostile keys':
    '{\n  "__proto__": { "x": 1 },\n  "constructor": 2,\n  "": 3,\n  "a\\u0022b": "}] // no"\n}\n',
}

describe.each(Object.entries(DOCUMENTS))('%s', (_name, before) => {
  test('takes our entries, keeps the rest, and is byte for byte itself after undo', () => {
    const { text, made: paths } = writeJson(before, request())
    const now = parse(text, [], { allowTrailingComma: true })
    expect(now.mcpServers.beckon).toEqual({ command: 'beckon', args: ['mcp'] })
    expect(now.hooks.PreToolUse.at(-1)).toEqual(group())
    expect(now.permissions.allow.at(-1)).toBe('mcp__beckon__*')
    expect(undoJson(text, request(), paths)).toBe(before)
  })

  test('twice is once', () => {
    const once = writeJson(before, request()).text
    expect(writeJson(once, request())).toEqual({ text: once, made: [] })
  })

  test('an older entry of ours is replaced where it stands', () => {
    const old = writeJson(before, request('/old/beckon-0.0.9')).text
    expect(writeJson(old, request()).text).toBe(writeJson(before, request()).text)
  })
})

test('nothing at all becomes a whole file', () => {
  for (const before of ['', ' \n']) {
    const { text } = writeJson(before, request())
    expect(JSON.parse(text).permissions.allow).toEqual(['mcp__beckon__*'])
  }
})

test('an entry of ours for an event that is not wished for any more is taken out', () => {
  const old = { hooks: { Gone: [{ hooks: [{ command: '/x/beckon hook claude' }] }, 1] } }
  const { text } = writeJson(JSON.stringify(old), request())
  expect(JSON.parse(text).hooks.Gone).toEqual([1])
})

test('our hook that stands beside another in one entry is not there twice', () => {
  const guard = { type: 'command', command: '/usr/bin/guard' }
  const mixed = { matcher: 'Bash', hooks: [guard, { command: '/x/beckon hook claude' }] }
  const before = JSON.stringify({ hooks: { PreToolUse: [mixed] } })
  const theirs = { matcher: 'Bash', hooks: [guard] }
  const { text, made: paths } = writeJson(before, request())
  expect(JSON.parse(text).hooks.PreToolUse).toEqual([theirs, group()])
  expect(JSON.parse(undoJson(text, request(), paths))).toEqual({ hooks: { PreToolUse: [theirs] } })
  expect(JSON.parse(undoJson(before, request(), []))).toEqual({ hooks: { PreToolUse: [theirs] } })
})

test('what is no JSON object is left alone, with the line of the mistake', () => {
  const broken: Array<[string, RegExp]> = [
    ['{\n  "a": 1\n  "b": 2\n}', /line 3 is not JSON/],
    ['{\n  "a": ', /line 2 is not JSON/],
    ['[]', /not a JSON object/],
    ['{ "hooks": [] }', /"hooks" in line 1 is not an object/],
    ['{ "hooks": { "PreToolUse": {} } }', /"hooks.PreToolUse" in line 1 is not a list/],
    ['{\n"hooks": {},\n"hooks": {}\n}', /"hooks" stands twice, again in line 3/],
    ['// nothing', /line 1 is not JSON/],
    ['{"a":'.repeat(200_000), /nested too deeply|not JSON/],
  ]
  for (const [text, why] of broken) {
    expect(() => writeJson(text, request())).toThrow(BrokenFile)
    expect(() => writeJson(text, request())).toThrow(why)
  }
})

const blanks = fc.constantFrom('', ' ', '\n', '\n  ', ' // note\n', '/* c */', '\r\n\t')
const words = fc.constantFrom('a', 'hooks2', '__proto__', 'é', '', 'x"y', '// not a comment')

/** JSON with comments, odd blanks and commas at the end, as people and programs leave it. */
const document = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.jsonValue({ maxDepth: 0 }).map((value) => JSON.stringify(value)),
    tie('object'),
    tie('list'),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(words, tie('value'), blanks, blanks), {
        selector: ([word]) => word,
        maxLength: 4,
      }),
      blanks,
      fc.boolean(),
    )
    .map(([members, end, comma]) => {
      const inner = members.map(([name, value, a, b]) => `${a}${JSON.stringify(name)}:${b}${value}`)
      return `{${inner.join(',')}${comma && inner.length > 0 ? ',' : ''}${end}}`
    }),
  list: fc
    .tuple(fc.array(fc.tuple(blanks, tie('value')), { maxLength: 3 }), blanks)
    .map(([items, end]) => `[${items.map(([a, value]) => a + value).join(',')}${end}]`),
})).object

test('whatever the document: ours is in it, the rest is as it was, and undo takes out ours alone', () => {
  fc.assert(
    fc.property(document, (before) => {
      const { text, made: paths } = writeJson(before, request())
      const data = (json: string) => parse(json, [], { allowTrailingComma: true })
      const { mcpServers, permissions, hooks, ...rest } = data(text)
      expect([mcpServers.beckon.command, permissions.allow.length]).toEqual(['beckon', 1])
      expect(hooks.Stop).toEqual([group()])
      expect(rest).toEqual(data(before))
      expect(writeJson(text, request()).text).toBe(text)
      const after = undoJson(text, request(), paths)
      expect(data(after)).toEqual(data(before))
      // Blanks in an object that was empty are the one thing that may go.
      expect(after.replace(/\s/g, '')).toBe(before.replace(/\s/g, ''))
    }),
    { numRuns: howOften(40, 400) },
  )
})
