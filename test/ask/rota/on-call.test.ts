import { expect, test } from 'bun:test'
import { type Crew, planOf, shiftsFrom, standingAt } from '../../../src/ask/rota/model/on-call.ts'
import type { Override, Schedule } from '../../../src/ask/rota/model/rota.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const SCHEDULE: Schedule = {
  ...{ startsOn: '2026-10-19', at: '09:00', everyDays: 7 },
  people: ['ana', 'bob', 'cleo'],
}
const plan = planOf(SCHEDULE, 'Europe/Berlin')

function crewOf(absent: readonly string[] = [], gone: readonly string[] = []): Crew {
  const names = ['ana', 'bob', 'cleo', 'dev'].filter((id) => !gone.includes(id))
  return new Map(
    names.map((id) => [
      id,
      { id, name: id, email: `${id}@example.org`, isAbsent: absent.includes(id) },
    ]),
  )
}
let count = 0
const override = (
  personId: string,
  kind: Override['kind'],
  [from, to]: [string, string],
): Override => {
  count += 1
  const id = `ovr_${count}` as const
  return { id, rotaId: 'rota_1', personId, kind, from: at(from), to: at(to), createdAt: count }
}
const who = (when: string, overrides: Override[] = [], crew = crewOf()) => {
  const standing = standingAt(plan, overrides, crew, at(when))
  return standing.kind === 'person' ? standing.personId : standing.kind
}

test('turns change at nine on the wall, before and after the end of summer time, and begin at the first', () => {
  const times = ['2026-10-19T06:59', '2026-10-19T07:00', '2026-10-26T07:59', '2026-10-26T08:00']
  expect(times.map((time) => who(time))).toEqual(['nobody', 'ana', 'ana', 'bob'])
  expect(who('2026-11-09T08:00')).toBe('ana')
})

test('whoever takes a time over has it, the last who said so', () => {
  const cover = override('dev', 'takes', ['2026-10-20T10:00', '2026-10-21T10:00'])
  const later = override('cleo', 'takes', ['2026-10-21T00:00', '2026-10-22T00:00'])
  const both = [later, cover]
  const times = ['2026-10-20T09:59', '2026-10-20T10:00', '2026-10-21T00:00', '2026-10-22T00:00']
  expect(times.map((time) => who(time, both))).toEqual(['ana', 'dev', 'cleo', 'ana'])
  expect(standingAt(plan, both, crewOf(), at('2026-10-20T12:00'))).toEqual({
    ...{ kind: 'person', personId: 'dev', insteadOf: 'ana' },
  })
})

test('whoever is away is followed by the next in the order who is there; nobody is moved else', () => {
  const away = override('ana', 'away', ['2026-10-19T00:00', '2026-11-30T00:00'])
  expect(who('2026-10-20T12:00', [away])).toBe('bob')
  expect(who('2026-10-27T12:00', [away])).toBe('bob')
  expect(who('2026-11-10T12:00', [away])).toBe('bob')
  const bobToo = override('bob', 'away', ['2026-10-20T00:00', '2026-10-21T00:00'])
  expect(who('2026-10-20T12:00', [away, bobToo])).toBe('cleo')
  expect(who('2026-10-20T12:00', [away], crewOf(['bob']))).toBe('cleo')
  const all = [away, bobToo, override('cleo', 'away', ['2026-10-20T00:00', '2026-10-21T00:00'])]
  expect(who('2026-10-20T12:00', all)).toBe('nobody')
})

test('whoever takes a time over and is away then has not taken it over', () => {
  const takes = override('dev', 'takes', ['2026-10-20T00:00', '2026-10-21T00:00'])
  const away = override('dev', 'away', ['2026-10-20T12:00', '2026-10-22T00:00'])
  expect(who('2026-10-20T11:00', [takes, away])).toBe('dev')
  expect(who('2026-10-20T13:00', [takes, away])).toBe('ana')
})

test('whoever was removed or switched off leaves a hole, and the turns of others stay', () => {
  expect(who('2026-10-20T12:00', [], crewOf(['ana']))).toBe('nobody')
  expect(who('2026-10-20T12:00', [], crewOf([], ['ana']))).toBe('nobody')
  expect(who('2026-10-27T12:00', [], crewOf([], ['ana']))).toBe('bob')
  const takes = override('dev', 'takes', ['2026-10-20T00:00', '2026-10-21T00:00'])
  expect(who('2026-10-20T12:00', [takes], crewOf([], ['dev']))).toBe('nobody')
})

test('shifts join what does not change, and end where something does', () => {
  const away = override('bob', 'away', ['2026-10-26T00:00', '2026-10-28T00:00'])
  const shifts = shiftsFrom(plan, [away], crewOf(), at('2026-10-20T00:00'), 4)
  expect(
    shifts.map(({ from, to, standing }) => [
      new Date(from).toISOString().slice(0, 16),
      to && new Date(to).toISOString().slice(0, 16),
      standing.kind === 'person' && standing.personId,
    ]),
  ).toEqual([
    ['2026-10-20T00:00', '2026-10-26T08:00', 'ana'],
    ['2026-10-26T08:00', '2026-10-28T00:00', 'cleo'],
    ['2026-10-28T00:00', '2026-11-02T08:00', 'bob'],
    ['2026-11-02T08:00', '2026-11-09T08:00', 'cleo'],
  ])
})

test('the turn of a single person does not end, and a rota of nobody is nobody’s', () => {
  const alone = planOf({ ...SCHEDULE, people: ['ana'] }, 'UTC')
  const [shift] = shiftsFrom(alone, [], crewOf(), at('2026-10-20T00:00'), 1)
  expect(shift).toMatchObject({ to: undefined, standing: { personId: 'ana' } })
  const empty = planOf({ ...SCHEDULE, people: [] }, 'UTC')
  expect(standingAt(empty, [], crewOf(), at('2026-10-20T00:00')).kind).toBe('nobody')
})
