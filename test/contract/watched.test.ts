import { expect, test } from 'bun:test'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { countWatched, WATCH_DAYS } from '../../src/ask/policy/count-watched.ts'
import type { Rule, RuleId } from '../../src/ask/policy/model/rule.ts'
import * as rules from '../../src/ask/policy/model/store.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { findQuestion, insertQuestion, moveQuestion } from '../../src/ask/questions/model/store.ts'
import { listWatched, putWatched } from '../../src/ask/questions/model/watched-store.ts'
import type { Requirement } from '../../src/ask/votes/model/requirement.ts'
import type { Watched } from '../../src/ask/votes/model/watched.ts'
import { firstIdAt, newId } from '../../src/platform/ids.ts'
import { aQuestion } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const WS = 'ws_1'
const NOW = Date.UTC(2026, 0, 31, 12)
const DAY_MS = 24 * 60 * 60_000
const RULE: RuleId = 'rule_1'
const ENGINEERS = { id: 'group_1', name: 'engineers' } as const
const asks = (need: number, byDecider?: boolean): Watched => ({
  rule: { id: RULE, words: 'prod-apply' },
  approve: { places: [{ from: [ENGINEERS], need }], excluded: ['ann'] },
  ...(byDecider !== undefined && { byDecider }),
})
const TWO = [asks(2)]
const BY_ANN = { status: 'answered', answeredBy: 'ann', answerSource: 'inbox' } as const

onBothDatabases('what rules that only watch have seen', (db) => {
  async function put(changes: Partial<Question> = {}, createdAt = NOW - DAY_MS) {
    await db().write((tx) => homeWorkspace(tx, WS, 0))
    const question = { ...aQuestion('x', { createdAt, ...changes }), id: newId('q', createdAt) }
    await db().write((tx) => insertQuestion(tx, question))
    return question.id
  }
  const since = firstIdAt('q', NOW - 30 * DAY_MS)
  const list = (limit = 100, before?: Question['id']) =>
    listWatched(db().read, { workspaceId: WS }, { since, before, limit })
  const count = async () => (await countWatched(db().read, { workspaceId: WS }, NOW)).byRule

  test('is stored with the question, kept while it moves, and replaced', async () => {
    const id = await put({ watched: TWO })
    await put()
    const read = () => findQuestion(db().read, WS, id)
    expect((await read())?.watched).toEqual(TWO)
    const ending = { value: 'yes', answeredBy: 'ann' } as const
    await db().write((tx) => moveQuestion(tx, 'answer', WS, id, NOW - DAY_MS + 1, ending))
    expect(await read()).toMatchObject({ status: 'answered', watched: TWO })
    await db().write((tx) => putWatched(tx, id, [asks(2, false)]))
    expect(await list()).toMatchObject([{ id, answeredBy: 'ann', watched: [asks(2, false)] }])
  })

  test('is listed for 30 days, the latest first, of its own workspace', async () => {
    const first = await put({ watched: TWO }, NOW - 3 * DAY_MS)
    const last = await put({ watched: TWO }, NOW - DAY_MS)
    await put({ watched: TWO }, NOW - (WATCH_DAYS + 1) * DAY_MS)
    await put({ watched: TWO, workspaceId: 'ws_2' })
    expect((await list()).map(({ id }) => id)).toEqual([last, first])
    expect((await list(1)).map(({ id }) => id)).toEqual([last])
    expect((await list(1, last)).map(({ id }) => id)).toEqual([first])
  })

  test('is counted by how calls ended and by whom, with what the rule asked for at that time', async () => {
    const ended = { endedAt: NOW - DAY_MS + 5_000 }
    const byRule = { answeredBy: undefined, answerSource: undefined, endedAt: NOW - DAY_MS }
    const requirement: Requirement = {
      ...{ rules: [], places: [], excluded: [], veto: 'any', usableMs: 1 },
    }
    const button = { kind: 'device', id: 'sub_1', label: 'Firefox' } as const
    await put({ ...BY_ANN, ...ended, watched: [asks(2, false)] })
    await put({ ...BY_ANN, ...ended, watched: [asks(2, false)] })
    await put({ ...BY_ANN, ...ended, answeredBy: 'bob', watched: [asks(1, true)] })
    await put({ ...BY_ANN, ...ended, answeredOn: button, watched: TWO })
    await put({ ...BY_ANN, ...byRule, watched: TWO })
    await put({ ...BY_ANN, ...ended, requirement, watched: TWO })
    await put({ status: 'expired', ...ended, watched: TWO })
    await put({ status: 'cancelled', ...ended, watched: TWO })
    await put({ status: 'stopped', ...ended, watched: TWO })
    await put({ status: 'terminal', ...ended, watched: TWO })
    await put({ watched: [...TWO, { rule: { id: 'rule_2', words: 'no-force' } }] })
    const counts = await count()
    expect(counts.get(RULE)).toEqual({
      calls: 11,
      asks: [
        { words: '2 of engineers', calls: 10 },
        { words: '1 of engineers', calls: 1 },
      ],
      endings: {
        ...{ alone: 4, votes: 1, rules: 1, unanswered: 1, withdrawn: 1, stopped: 1 },
        ...{ terminal: 1, open: 1 },
      },
      people: [
        { personId: 'ann', calls: 2 },
        { personId: 'bob', calls: 1 },
      ],
      deciders: { yes: 1, no: 2, unknown: 1 },
    })
    expect(counts.get('rule_2')?.asks).toEqual([{ words: undefined, calls: 1 }])
  })

  test('the mode of a rule is stored, and taken away', async () => {
    const rule: Rule = {
      ...{ id: RULE, workspaceId: WS, match: {}, set: {}, decision: 'deny', createdAt: 1 },
      mode: 'watch',
    }
    await db().write((tx) => rules.insertRule(tx, rule))
    expect((await rules.findRule(db().read, WS, RULE))?.mode).toBe('watch')
    await db().write((tx) => rules.updateRule(tx, WS, RULE, { match: { toolName: 'Bash' } }))
    expect((await rules.findRule(db().read, WS, RULE))?.mode).toBe('watch')
    await db().write((tx) => rules.updateRule(tx, WS, RULE, { mode: undefined }))
    expect((await rules.findRule(db().read, WS, RULE))?.mode).toBeUndefined()
  })
})
