import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import recorded from '../../fixtures/clients/claude/PermissionRequest.AskUserQuestion.interactive.json'
import before from '../../fixtures/clients/claude/PreToolUse.AskUserQuestion.interactive.json'
import { callIdOf } from '../../support/question.ts'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'
import type { Ran } from '../../support/run-command.ts'

setDefaultTimeout(60_000)

let world: RelayWorld
beforeAll(async () => {
  world = await relayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const SILENT: Ran = { code: 0, out: '', err: '' }

function decided(decision: object): Ran {
  const hookSpecificOutput = { hookEventName: 'PermissionRequest', decision }
  return { code: 0, out: JSON.stringify({ hookSpecificOutput }), err: '' }
}

const [DATABASE, FEATURES] = recorded.tool_input.questions
const OPTIONS = [{ label: 'A' }, { label: 'B' }]

function startWith(questions: unknown) {
  const session_id = world.session()
  const input = { ...recorded, session_id, tool_input: { questions } }
  return { session_id, hook: world.start('claude', input) }
}

const allowed = (questions: unknown, answers: object) =>
  decided({ behavior: 'allow', updatedInput: { questions, answers } })

test('a question of Claude Code is shown with its choices, and answered with the label', async () => {
  const { session_id, hook } = startWith([DATABASE])
  const [question] = await world.asked(session_id)
  expect(question).toMatchObject({
    type: 'select',
    question: 'Which database?',
    choices: [
      { label: 'SQLite', description: 'file' },
      { label: 'Postgres', description: 'server' },
    ],
    detail: { header: 'DB', allowOther: true, toolName: 'AskUserQuestion' },
  })
  await world.answer(question, 'Postgres')
  expect(await hook.done).toEqual(allowed([DATABASE], { 'Which database?': 'Postgres' }))
})

test('a question of Claude Code takes an answer of the own words, and a note with it', async () => {
  const { session_id, hook } = startWith([DATABASE])
  const [question] = await world.asked(session_id)
  await world.answer(question, 'DuckDB', { note: 'Only for reports' })
  const answers = { 'Which database?': 'DuckDB (note: Only for reports)' }
  expect(await hook.done).toEqual(allowed([DATABASE], answers))
})

test('a question of Claude Code that was answered at the terminal is withdrawn, though the tool ran with the answer in it', async () => {
  const { session_id, hook } = startWith([DATABASE])
  const [question] = await world.asked(session_id)
  if (!question) throw new Error('nothing was asked')
  const tool_input = { questions: [DATABASE], answers: { 'Which database?': 'SQLite' } }
  const ran = { ...recorded, session_id, tool_input, hook_event_name: 'PostToolUse' }
  await world.start('claude', ran).done
  expect(await hook.done).toEqual(SILENT)
  expect(await world.look(question)).toMatchObject({ endReason: 'Answered at the terminal.' })
})

test('a question of Claude Code of which several may be chosen is answered as the client writes it', async () => {
  const { session_id, hook } = startWith([FEATURES])
  const [question] = await world.asked(session_id)
  expect(question?.detail.multiSelect).toBe(true)
  await world.answer(question, ['Push', 'Mail'])
  expect(await hook.done).toEqual(allowed([FEATURES], { 'Which features?': 'Push, Mail' }))
})

test('a question of Claude Code whose labels have commas is answered with all of them', async () => {
  const options = [{ label: 'Red, dark' }, { label: 'Blue' }]
  const one = { question: 'Which?', header: 'H', options, multiSelect: true }
  const { session_id, hook } = startWith([one])
  const [question] = await world.asked(session_id)
  await world.answer(question, ['Red, dark', 'Blue'])
  expect(await hook.done).toEqual(allowed([one], { 'Which?': 'Red, dark, Blue' }))
})

test('a question of Claude Code that is stopped ends the turn', async () => {
  const { session_id, hook } = startWith([DATABASE])
  const [question] = await world.asked(session_id)
  await world.stop(question)
  expect(JSON.parse((await hook.done).out).hookSpecificOutput.decision).toMatchObject({
    behavior: 'deny',
    interrupt: true,
  })
})

test('several questions at once are asked one after the other, under ids of their own', async () => {
  const session_id = world.session()
  expect(await world.start('claude', { ...before, session_id }).done).toEqual(SILENT)
  const hook = world.start('claude', { ...recorded, session_id })
  const [first] = await world.asked(session_id)
  expect([first?.question, first?.detail.context, callIdOf(first)]).toEqual([
    'Which database?',
    'Question 1 of 2.',
    'toolu_826695aa#0',
  ])
  await world.answer(first, 'SQLite')
  const second = await world.asked(session_id)
  expect(second.map((one) => [one.question, callIdOf(one)])).toEqual([
    ['Which features?', 'toolu_826695aa#1'],
  ])
  await world.answer(second[0], ['Mail'])
  const answers = { 'Which database?': 'SQLite', 'Which features?': 'Mail' }
  expect(await hook.done).toEqual(allowed(recorded.tool_input.questions, answers))
})

test('several questions at once are answered all, or not at all', async () => {
  const session_id = world.session()
  const tool_use_id = 'toolu_half'
  await world.start('claude', { ...before, session_id, tool_use_id }).done
  const hook = world.start('claude', { ...recorded, session_id })
  const [first] = await world.asked(session_id)
  await world.answer(first, 'SQLite')
  const [second] = await world.asked(session_id)
  const { tool_input } = before
  const after = { ...recorded, session_id, tool_use_id, hook_event_name: 'PostToolUse' }
  await world.start('claude', {
    ...after,
    tool_input: { ...tool_input, answers: { 'Which database?': 'SQLite' } },
    tool_response: 'ok',
  }).done
  expect(await hook.done).toEqual(SILENT)
  expect(second && (await world.look(second))).toMatchObject({
    status: 'cancelled',
    endReason: 'Answered at the terminal.',
  })
})

test.each<[string, unknown]>([
  ['no list', 'Which?'],
  ['none', []],
  ['five', Array.from({ length: 5 }, (_, n) => ({ question: `Q${n}`, options: OPTIONS }))],
  ['one without options', [{ question: 'Q' }]],
  ['one option', [{ question: 'Q', options: [{ label: 'A' }] }]],
  [
    'five options',
    [{ question: 'Q', options: ['A', 'B', 'C', 'D', 'E'].map((label) => ({ label })) }],
  ],
  ['two options alike', [{ question: 'Q', options: [{ label: 'A' }, { label: 'A ' }] }]],
  ['a label of 101', [{ question: 'Q', options: [{ label: 'x'.repeat(101) }, { label: 'B' }] }]],
  ['a label that is no text', [{ question: 'Q', options: [{ label: { a: 1 } }, { label: 'B' }] }]],
  ['a header of 41', [{ question: 'Q', header: 'x'.repeat(41), options: OPTIONS }]],
  ['a question of 501', [{ question: 'x'.repeat(501), options: OPTIONS }]],
  ['an empty question', [{ question: ' ', options: OPTIONS }]],
  ['the same twice', [1, 2].map(() => ({ question: 'Q', options: OPTIONS }))],
  ['null', [null]],
])('%s is left to the client', async (_, questions) => {
  const { session_id, hook } = startWith(questions)
  expect(await hook.done).toEqual(SILENT)
  expect(await world.asked(session_id, 0)).toEqual([])
})

const PLAN = '# Plan\n\n1. Add the column\n2. Use api_key=sk-live-51Habcdefghijklmnopqrstuv'
const plan = (session_id: string, text: unknown = PLAN) => ({
  ...recorded,
  session_id,
  permission_mode: 'plan',
  tool_name: 'ExitPlanMode',
  tool_input: { plan: text, planFilePath: '/home/u/.claude/plans/a.md' },
})

test('a plan is read on the phone without its secrets, and agreed to', async () => {
  const session_id = world.session()
  const hook = world.start('claude', plan(session_id))
  const [question] = await world.asked(session_id)
  expect(question).toMatchObject({ type: 'confirm', question: 'Go ahead with this plan?' })
  expect(question?.detail.actionBody).toStartWith('# Plan\n\n1. Add the column')
  expect(question?.detail.actionBody).not.toContain('51Habcdefghijklmnop')
  await world.answer(question, 'yes')
  const updatedInput = plan(session_id).tool_input
  expect(await hook.done).toEqual(decided({ behavior: 'allow', updatedInput }))
})

test('a plan is declined with a note', async () => {
  const session_id = world.session()
  const hook = world.start('claude', plan(session_id))
  const [question] = await world.asked(session_id)
  await world.answer(question, 'no', { note: 'Tests first' })
  const message =
    'The person does not agree with this plan. They say: "Tests first". Change the plan, or ask what is wrong with it.'
  expect(await hook.done).toEqual(decided({ behavior: 'deny', message }))
})

test('a plan that is long is cut, and says so', async () => {
  const session_id = world.session()
  const hook = world.start('claude', plan(session_id, 'step\n'.repeat(3_000)))
  const [question] = await world.asked(session_id)
  const body = question?.detail.actionBody ?? ''
  expect(body.length).toBeLessThanOrEqual(4_000)
  expect(body).toEndWith('… cut here: about 11100 characters more are not shown.')
  await world.answer(question, 'no')
  await hook.done
})

test.each([undefined, '', 7])('a plan that is %p is left to the client', async (text) => {
  const session_id = world.session()
  const input = { ...plan(session_id), tool_input: { plan: text } }
  expect(await world.start('claude', input).done).toEqual(SILENT)
})
