import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parse, stringify } from 'smol-toml'
import { BrokenFile } from '../../../src/agent/client-files/broken-file.ts'
import {
  type DesiredToml,
  undoToml,
  writeToml,
} from '../../../src/agent/client-files/desired-toml.ts'
import { isOurHook } from '../../../src/agent/client-files/entries.ts'
import { howOften } from '../../support/share.ts'

function hook(event: string, program: string): string {
  return `[[hooks.${event}]]\nmatcher = ".*"\n\n[[hooks.${event}.hooks]]\ntype = "command"\ncommand = "${program} hook codex"\ntimeout = 600`
}

function request(program = '/opt/beckon/beckon'): DesiredToml {
  const server = '[mcp_servers.beckon]\ncommand = "beckon"\nargs = ["mcp"]\ntool_timeout_sec = 90'
  return {
    kind: 'toml',
    path: 'config.toml',
    tables: [{ at: ['mcp_servers', 'beckon'], text: server }],
    lists: ['PreToolUse', 'Stop'].map((event) => ({
      at: ['hooks', event],
      text: hook(event, program),
    })),
    hooksAt: 'hooks',
    isOurs: (entry) => isOurHook(entry, 'codex'),
  }
}

const DOCUMENTS: Record<string, string> = {
  nothing: '',
  'a comment': '# only\n',
  'values and tables': 'model = "x"   # keep\n\n[a]\nb = 1\n',
  'windows lines': 'model = "x"\r\n\r\n[a] # here\r\nb = """\r\n[[hooks.Stop]]\r\n"""\r\n',
  'what looks like a header and is none':
    "a = [\n  \"[x]\", # ]\n  [1],\n]\nb = '''\n[hooks]\n'''\n",
  'foreign hooks': `# guards
[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = '/usr/bin/guard'
# last words

[hooks.state."/c/config.toml:pre_tool_use:0:0"]
trusted_hash = "sha256:abc"
`,
  'another server, and odd names':
    '["mcp_servers".\'other.one\']\ncommand = "x"\n[mcp_servers.other.env]\nA = "1"\n["a b"."[c]"]\n__proto__ = 1\n',
}

describe.each(Object.entries(DOCUMENTS))('%s', (_name, before) => {
  test('takes our tables, and is byte for byte itself after undo', () => {
    const text = writeToml(before, request())
    const now = parse(text) as Record<string, Record<string, unknown[]>>
    expect(now.mcp_servers?.beckon).toEqual({
      command: 'beckon',
      args: ['mcp'],
      tool_timeout_sec: 90,
    } as never)
    expect(isOurHook(now.hooks?.PreToolUse?.at(-1), 'codex')).toBe(true)
    expect(text.startsWith(before)).toBe(true)
    expect(undoToml(text, request())).toBe(before)
  })

  test('twice is once, and an older entry is replaced where it stands', () => {
    const once = writeToml(before, request())
    expect(writeToml(once, request())).toBe(once)
    expect(writeToml(writeToml(before, request('/old/beckon-0.0.9')), request())).toBe(once)
  })
})

test('hooks that came after ours keep their place, which is what Codex trusts', () => {
  const theirs = '\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "bell"\n'
  const old = writeToml('', request('/old/beckon')) + theirs
  const text = writeToml(old, request())
  const { Stop = [] } = (parse(text) as { hooks: Record<string, unknown[]> }).hooks
  expect(Stop.map((entry) => isOurHook(entry, 'codex'))).toEqual([true, false])
  expect(undoToml(text, request())).toBe(theirs)
})

test('what the client writes between our lines stays when ours go', () => {
  const text = writeToml('a = 1\n', request())
  const trusted = '[hooks.state."x"]\ntrusted_hash = "sha256:1"\n'
  const later = text.replace('\n[[hooks.Stop]]', `\n${trusted}\n[[hooks.Stop]]`)
  expect(undoToml(later, request())).toBe(`a = 1\n\n${trusted}`)
})

test('what cannot be read, or cannot take ours, is left alone and says why', () => {
  const broken: Array<[string, RegExp]> = [
    ['a = 1\nb = \n', /line 2 is not TOML/],
    ['[a\n', /line 1 is not TOML/],
    ['hooks = {}\n', /written in a way that ours cannot be added to/],
    ['[hooks]\nPreToolUse = []\n', /cannot be added to/],
    ['[mcp_servers]\nbeckon = { url = "x" }\n', /cannot be added to/],
  ]
  for (const [text, why] of broken) {
    expect(() => writeToml(text, request())).toThrow(BrokenFile)
    expect(() => writeToml(text, request())).toThrow(why)
  }
})

const key = fc.constantFrom('a', 'b.c', 'mcp', '"', '[x]', 'é', '#', '__proto')
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.constant('[[hooks.Stop]]\n"""'),
)
const table = fc.dictionary(key, leaf, { maxKeys: 3, noNullPrototype: true })
const document = fc
  .tuple(
    fc.dictionary(key, fc.oneof(leaf, table, fc.array(table, { minLength: 1, maxLength: 2 }))),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([data, windows, ended]) => {
    const text = `# kept\n${stringify(data)}`.replace(/\n*$/, ended ? '\n' : '')
    return windows && !text.includes('"""') ? text.replaceAll('\n', '\r\n') : text
  })

test('whatever the document: undo after setup is the document', () => {
  fc.assert(
    fc.property(document, (before) => {
      const text = writeToml(before, request())
      expect(writeToml(text, request())).toBe(text)
      expect(undoToml(text, request())).toBe(before)
    }),
    { numRuns: howOften(30, 300) },
  )
})
