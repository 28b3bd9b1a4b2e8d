import { expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { parse } from 'yaml'
import { checkFile } from '../../../src/ask/policy-file/check-file.ts'
import { editorSchema } from '../../../src/ask/policy-file/model/policy-file.ts'
import { readPolicyFile } from '../../../src/ask/policy-file/model/read-policy-file.ts'

const FILE = `beckon: policy/1
policy:
  waitMs: 50s
  quietHours: { from: "22:00", to: "07:00", zone: Europe/Berlin }
groups:
  engineers: [ana@example.com, bob@example.com, fay@example.com]
  security: external
rules:
  - id: prod-apply
    match: { toolName: Bash, toolTarget: "terraform apply*" }
    approve:
      from: [engineers]
      need: 2
      lifeMs: 4h
  - id: no-force
    match: { toolName: Bash, toolTarget: "git push --force*" }
    decision: deny
`

/** The place, level and field of each finding. */
function lint(text: string): string[] {
  const { value, lineOf, findings } = readPolicyFile(text)
  const all = value ? [...findings, ...checkFile(value, lineOf)] : findings
  return all
    .filter(({ level }) => level !== 'note')
    .map(({ level, line, field }) => `${line} ${level} ${field}`)
}

test('times are read in milliseconds, and a right file has no findings', () => {
  expect(lint(FILE)).toEqual([])
  const { value } = readPolicyFile(FILE)
  expect(value?.policy?.waitMs).toBe(50_000)
  expect(value?.rules?.[0]?.approve?.lifeMs).toBe(4 * 3_600_000)
  expect(value?.policy?.quietHours?.from).toBe('22:00')
})

const WRONG: Array<[what: string, from: string, to: string, findings: string[]]> = [
  ['an unknown field', 'need: 2', 'needs: 2', ['13 error rules[0].approve.needs']],
  ['a time without a unit', '4h', '"4 h"', ['14 error rules[0].approve.lifeMs']],
  ['a time that is too long', '50s', '5m', ['3 error policy.waitMs']],
  ['no time zone', 'Europe/Berlin', 'Europe/Bonn', ['4 error policy.quietHours.zone']],
  ['no group', 'from: [engineers]', 'from: [builders]', ['12 error rules[0].approve.from[0]']],
  ['an id twice', 'id: no-force', 'id: prod-apply', ['15 error rules[1].id']],
  ['no id', 'id: no-force', 'id: No Force', ['15 error rules[1].id']],
  ['no form', 'policy/1', 'policy/9', ['1 error beckon']],
  ['somebody twice', 'bob@example.com', 'Ana@example.com', ['6 error groups.engineers[1]']],
  ['no address', 'bob@example.com', 'bob', ['6 error groups.engineers[1]']],
  [
    'two ways to decide',
    'decision: deny',
    'approve: { from: [engineers] }\n    decision: deny',
    ['17 error rules[1].approve'],
  ],
  ['more than there are', 'need: 2', 'need: 4', ['11 warning rules[0].approve']],
  ['too few beside the asker', 'need: 2', 'need: 3', ['11 warning rules[0].approve']],
  ['a name twice', 'need: 2', 'need: 2\n      need: 2', ['14 error rules[0].approve.need']],
  ['an alias', '[engineers]', '*all', ['12 error rules[0].approve.from']],
  [
    'a secret',
    'terraform apply*',
    'deploy ghp_0123456789abcdefghijABCDEFGHIJ012345',
    ['10 error rules[0].match.toolTarget'],
  ],
]

for (const [what, from, to, findings] of WRONG) {
  test(`${what} is found with its field and line`, () => {
    expect(FILE).toContain(from)
    expect(lint(FILE.replace(from, to))).toEqual(findings)
  })
}

const UNREADABLE: Array<[what: string, text: string, line: number, cure: string]> = [
  ['a line that is indented too far', 'policy:\n  waitMs: 50s\n   graceMs: 3s', 3, 'column'],
  ['a field beside its entry', 'rules:\n  - id: a\n   match: { toolName: Bash }', 4, 'column'],
  ['a tab', 'policy:\n\twaitMs: 50s', 3, 'spaces'],
  ['a second colon', 'policy:\n  waitMs: a: b', 3, 'quotes'],
  ['a colon in a mapping', 'rules:\n  - match: { toolTarget: a: b }', 3, 'quotes'],
  ['a second document', '---\nrules: []', 2, 'one'],
  ['an alias', 'rules: *all', 2, 'value itself'],
  ['a star without quotes', 'rules:\n  - match: { toolTarget: *.tf }', 3, 'quotes'],
  ['an anchor', 'rules: &all []', 2, 'value alone'],
  ['a tag', 'rules: !list []', 2, 'value alone'],
  ['a merge key', '<<: { a: 1 }', 2, 'each field'],
  ['a bracket that is open', 'rules: [', 3, 'close'],
  ['a quote that is open', 'rules: "[]', 3, 'close'],
  ['an at sign', 'rules:\n  - match: { toolTarget: @x }', 3, 'quotes'],
  ['a backslash', 'rules:\n  - match: { toolTarget: "C:\\d" }', 3, 'single quotes'],
  ['a name without a value', 'rules', 2, 'colon'],
  ['more after a value', 'rules: "a" b', 2, 'quotes'],
  ['one value too many for a list', 'rules: 3', 2, 'list'],
  ['a list for a mapping', 'groups: [a]', 2, 'colon'],
  ['a time without a unit', 'policy: { waitMs: soon }', 2, '45s'],
  ['a time that is too long', 'policy: { waitMs: 5m }', 2, '55s'],
]
for (const [what, text, line, cure] of UNREADABLE) {
  test(`${what} is said with its line, and what to do`, () => {
    const { findings, value } = readPolicyFile(`beckon: policy/1\n${text}\n`)
    expect(value).toBeUndefined()
    const [first] = findings.filter((one) => one.line === line)
    expect(first?.must ?? JSON.stringify(findings)).toContain(cure)
    // Neither JSON's words nor those of the library that reads YAML.
    expect(first?.must).not.toMatch(
      /, and is |object|array|[Mm]apping|[Ff]low|[Ii]mplicit|[Ss]equence/,
    )
  })
}

test('what cannot be read is refused, and prototypes stay as they are', () => {
  for (const text of ['a: [', '- a\n- b', 'a: 1\n---\nb: 2', '\t- x', '', 'beckon: &a policy/1']) {
    expect(readPolicyFile(text).value).toBeUndefined()
  }
  expect(readPolicyFile('beckon: policy/1\n__proto__: { x: 1 }').value).toBeUndefined()
  expect('x' in {}).toBe(false)
  const bomb = ['a: &a [1]', 'b: &b [*a, *a]', 'c: [*b, *b]'].join('\n')
  expect(readPolicyFile(bomb).value).toBeUndefined()
})

test('the schema of editors takes what the server takes', () => {
  const valid = new Ajv({ strict: false }).compile(editorSchema())
  expect(valid(parse(FILE))).toBe(true)
  expect(valid(parse(FILE.replace('need: 2', 'needs: 2')))).toBe(false)
  expect(valid(parse(FILE.replace('50s', '50000')))).toBe(true)
})
