import { expect, test } from 'bun:test'
import type { Caller } from '../../../src/ask/accounts/model/agent.ts'
import { readAsk } from '../../../src/ask/questions/model/read-ask.ts'
import { askUserInput } from '../../../src/ask/wire/ask-fields.ts'
import { readShellCommand } from '../../../src/ask/wire/reading/of-ask.ts'

const caller: Caller = {
  tokenId: 'key_1',
  tokenName: 'test',
  workspaceId: 'ws_1',
  test: false,
  client: 'Some client',
  testConnection: false,
  arrivedAt: 1_000_000,
}
const read = (input: unknown) => readAsk(askUserInput.parse(input), caller)

// spec: QS-LIM-question, QS-LIM-action, QS-LIM-agentName
test('what the spec says is cut is cut, by code point', () => {
  const long = '👍'.repeat(700)
  const draft = read({ question: long, action: long, blocker: long, intent: long, agentName: long })
  const cut = '👍'.repeat(500)
  expect(draft.question).toBe(cut)
  expect(draft.detail).toEqual({
    action: cut,
    blocker: cut,
    intent: cut,
    cut: expect.stringMatching(/^[0-9a-f]{64}$/),
    missing: expect.any(Number),
    reading: expect.objectContaining({ open: [expect.objectContaining({ why: 'program' })] }),
  })
  expect(draft.agentName).toBe('👍'.repeat(100))
  // Two that are cut to the same words are not the same.
  const other = read({ question: long, action: `${long}!`, blocker: long })
  expect(other.detail.action).toBe(cut)
  expect(other.detail.cut).not.toBe(draft.detail.cut)
})

test('the name falls back to the client’s, and rich questions become a select', () => {
  const draft = read({
    question: 'ignored',
    questions: [
      {
        question: 'Which one?',
        header: 'Storage',
        multiSelect: true,
        allowOther: true,
        options: [{ label: 'A', description: 'first' }, { label: 'B' }],
      },
    ],
  })
  expect(draft).toMatchObject({
    type: 'select',
    question: 'Which one?',
    agentName: 'Some client',
    choices: [{ label: 'A', description: 'first' }, { label: 'B' }],
    detail: { header: 'Storage', multiSelect: true, allowOther: true },
    expiresAt: 1_600_000,
  })
})

test('machine-populated switches count only with the value that means something', () => {
  const on = read({ question: 'a', localSurfaceAvailable: false, pausedAware: true })
  expect(on.detail).toEqual({ localSurfaceAvailable: false, pausedAware: true })
  const off = read({ question: 'a', localSurfaceAvailable: true, pausedAware: false })
  expect(off.detail).toEqual({})
})

const WRONG: Array<[object, string]> = [
  [{}, 'question is required'],
  [{ question: '' }, 'question must not be empty'],
  [{ question: ' \u0000 ' }, 'question must have something that can be seen'],
  [{ question: 'a', type: 'maybe' }, 'type must be one of "confirm", "select", "input"'],
  [{ question: 'a', type: 'select' }, 'options is required when type is select'],
  [{ question: 'a', type: 'select', options: ['x'] }, 'options must have at least 2 items'],
  [{ question: 'a', type: 'select', options: ['x', ''] }, 'options[1] must not be empty'],
  [{ question: 'a', context: 'x'.repeat(501) }, 'context must have at most 500 characters'],
  [{ question: 'a', actionBody: 'x'.repeat(4001) }, 'actionBody must have at most 4000 characters'],
  [{ question: 'a', placeholder: 'x'.repeat(201) }, 'placeholder must have at most 200'],
  [{ question: 'a', timeoutMs: 999 }, 'timeoutMs must be at least 1000'],
  [{ question: 'a', timeoutMs: 55_001 }, 'timeoutMs must be at most 55000'],
  [{ question: 'a', timeoutMs: 1000.5 }, 'timeoutMs must be a whole number'],
  [{ question: 'a', env: 'live' }, 'env must be "test"'],
  [{ question: 'a', callbackUrl: 'nowhere' }, 'callbackUrl must be an absolute URL'],
  [{ question: 'a', toolPath: 'src/a.ts' }, 'toolPath must be an absolute path'],
  [{ question: 'a', toolName: 'x'.repeat(101) }, 'toolName must have at most 100'],
  [{ question: 'a', toolTarget: 'x'.repeat(81) }, 'toolTarget must have at most 80'],
  [{ question: 'a', permissionMode: 'x'.repeat(65) }, 'permissionMode must have at most 64'],
  [{ question: 'a', repoKey: 'x'.repeat(201) }, 'repoKey must have at most 200'],
  [{ question: 'a', waitEndsAt: '2026-01-31T12:00:00+01:00' }, 'waitEndsAt must be a UTC time'],
  [{ question: 'a', questions: [] }, 'questions must have at least 1 item'],
  [
    {
      question: 'a',
      questions: [{ question: 'b', multiSelect: false, options: [{ label: 'x' }] }],
    },
    'questions[0].options must have at least 2 items',
  ],
  [{ question: 'a', colour: 'red' }, 'colour is not a known field'],
  [{ question: 7, wait: 'yes' }, 'question must be a string; wait must be true or false'],
]
for (const [input, sentence] of WRONG) {
  test(`refused: ${sentence}`, () => {
    expect(() => read(input)).toThrow(sentence)
  })
}

test('the name of an unknown field is repeated cut, and without a secret', () => {
  const token = `bk_${'a8Zk3'.repeat(8)}`
  const name = 'n'.repeat(9_000)
  const message = `▇▇▇ (Beckon token) is not a known field; ${name.slice(0, 100)} is not a known field.`
  expect(() => read({ question: 'a', [token]: 1, [name]: 1 })).toThrow(new Error(message))
})

test('a limit counts characters, not the units they are stored in', () => {
  expect(read({ question: 'a', context: '👍'.repeat(500) }).detail.context).toHaveLength(1000)
  expect(() => read({ question: 'a', context: '👍'.repeat(501) })).toThrow('at most 500')
})

// spec: QS-LIM-actionBody
test('secrets are gone from action and actionBody before they are cut', () => {
  const draft = read({
    question: 'Run it?',
    action: `${'x '.repeat(240)} login --password hunter2-hunter2`,
    actionBody: `${'y '.repeat(1_900)}${'A_PASSWORD=correct\n'.repeat(10)}`,
  })
  expect(draft.detail.action).toContain('--password ▇▇')
  expect(draft.detail.action?.length).toBe(500)
  expect(draft.detail.actionBody).toContain('A_PASSWORD=▇▇▇ (password)\n')
  expect(draft.detail.actionBody?.length).toBe(4_000)
  expect(JSON.stringify(draft)).not.toMatch(/hunter2|correct/)
})

test('a secret broken up by invisible characters is found', () => {
  const action = 'login --password hun\u0000ter2\u202e'
  const { detail } = read({ question: 'Run it?', action, toolTarget: action })
  expect(detail.action).toBe('login --password ▇▇▇ (password)')
  // The same command in short.
  expect(detail.toolTarget).toBe('login --password ▇▇▇ (password)')
})

test('an option that nobody could see or tell apart from nothing is named', () => {
  for (const nothing of [' ', '\u202e', '\u200b', '\u0000']) {
    const wrong = {
      code: 'invalid_input',
      fields: [{ field: 'options[1]', must: 'must have something that can be seen' }],
    }
    expect(() => read({ question: 'Which?', type: 'select', options: ['a', nothing] })).toThrow(
      expect.objectContaining(wrong),
    )
    const options = [{ label: nothing }, { label: 'b' }]
    const rich = { question: 'Which?', multiSelect: false, options }
    expect(() => read({ question: 'Which?', questions: [rich] })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('questions[0].options[0].label'),
      }),
    )
  }
  expect(() => read({ question: '\u200b\u2060' })).toThrow(
    'question must have something that can be seen',
  )
})

test('names and paths lose what turns the reading direction or cannot be stored', () => {
  const draft = read({
    question: 'May I?',
    machineId: 'm\u0000',
    sessionId: 's\u202e1',
    repoKey: 'r\u0000',
    toolPath: '/src/\u202egpj.exe',
    scopePath: 'src\u0000',
    permissionMode: 'ask\u202e',
  })
  expect(draft).toMatchObject({ machineId: 'm', sessionId: 's1', repoKey: 'r' })
  expect(draft.detail).toEqual({
    toolPath: '/src/gpj.exe',
    scopePath: 'src',
    permissionMode: 'ask',
  })
})

test('equal options are refused by name: the answer could not tell them apart', () => {
  const rich = { question: 'x', multiSelect: true, options: [{ label: 'a' }, { label: 'a' }] }
  const asks: Array<[object, string]> = [
    [{ type: 'select', options: ['a', 'b', 'a'] }, 'options[2]'],
    [{ type: 'select', options: ['a', ' a\u0000'] }, 'options[1]'],
    [{ questions: [rich] }, 'questions[0].options[1].label'],
  ]
  for (const [ask, field] of asks) {
    expect(() => read({ question: 'Which?', ...ask })).toThrow(
      `${field} must differ from every other option`,
    )
  }
  expect(read({ question: 'x', type: 'select', options: ['a', 'A'] }).choices).toHaveLength(2)
  expect(read({ question: 'x', options: ['a', 'a'] }).choices).toEqual([])
})

test.each([
  ['a Cyrillic letter', 'staging', 'st\u0430ging'],
  ['a Greek letter', 'Open', '\u039fpen'],
  ['an Armenian letter', 'push', 'p\u057dsh'],
  ['a Cherokee letter', 'Deploy', '\u13a0eploy'],
  ['an invisible letter', 'yes', 'ye\u200bs'],
  ['another blank', 'go on', 'go\u00a0on'],
  ['two blanks', 'go on', 'go  on'],
  ['a wide letter', 'db1', '\uff44\uff42\uff11'],
  ['a digit', 'Plan l', 'Plan 1'],
  ['two letters', 'modem', 'modern'],
])('an option that looks like another one is refused: %s', (_, first, second) => {
  const must = 'must look different from every other option'
  const options = ['other', first, second]
  expect(() => read({ question: 'Which?', type: 'select', options })).toThrow(`options[2] ${must}`)
})

test('options that differ to the eye are taken, in any alphabet', () => {
  for (const options of [
    ['да', 'нет', 'ναι', 'όχι', '是', '否'],
    ['résumé', 'resume', 'A', 'a', '👩‍💻', '👨‍💻'],
  ]) {
    expect(read({ question: 'x', type: 'select', options }).choices).toHaveLength(options.length)
  }
})

test('how much is not stored is counted, unless the body has all of the action', () => {
  const command = `echo ${'word '.repeat(200)}end`
  const { detail } = read({ question: 'Run it?', action: command })
  expect(detail.missing).toBe(command.length - 500)
  const repeated = read({ question: 'Run it?', action: command, actionBody: `${command}\n` })
  expect(repeated.detail.missing).toBe(0)
  const grown = 'A_PASSWORD=correct\n'.repeat(200)
  const [one, other] = ['tail one', 'tail two'].map((tail) =>
    read({ question: 'Run it?', actionBody: `${grown}${tail}` }),
  )
  expect(one?.detail.actionBody).toBe(other?.detail.actionBody)
  expect(one?.detail.missing).toBeGreaterThan(0)
  expect(one?.detail.cut).not.toBe(other?.detail.cut)
})

test('the lines of a command that a hook put on one are not read as one command', () => {
  const actionBody = 'redis-cli\nnpm -a publish'
  const reading = readShellCommand(actionBody)
  const ask = { question: 'Run it?', action: 'redis-cli npm -a publish', actionBody, reading }
  const { detail } = readAsk({ ...ask, toolName: 'Bash', byHook: true }, caller)
  expect(detail.action).toBe('redis-cli npm -a publish')
  expect(detail.actionBody).toBe(actionBody)
})
