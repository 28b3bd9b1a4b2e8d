import { expect, test } from 'bun:test'
import {
  delay,
  dueAtOf,
  type EscalationState,
  type EscalationWorld,
  start,
  step,
} from '../../../src/ask/fail-over/model/step.ts'
import { type QuietHours, quietUntil } from '../../../src/ask/subscribers/model/quiet-hours.ts'

const MINUTE = 60_000
const night = (zone: string): QuietHours => ({ from: '22:00', to: '07:00', zone })
const BERLIN = night('Europe/Berlin')
const NEW_YORK = night('America/New_York')

type Play = {
  at: string
  urgent?: boolean
  /** Who is on call at a time; Ana if it is left out. */
  onCall?: (now: number) => string
  /** Ana takes it after so many minutes. */
  claimAfter?: number
  gone?: readonly string[]
}

/** Runs one question for twelve hours, minute by minute; who rang when, in UTC. */
function play({ at, urgent = false, onCall = () => 'ana', claimAfter, gone = [] }: Play) {
  const begin = Date.parse(at)
  const endsAt = begin + 12 * 60 * MINUTE
  const quiet: Record<string, QuietHours> = { ana: BERLIN, bob: NEW_YORK }
  const worldAt = (now: number): EscalationWorld => ({
    endsAt,
    recipients: ([target = '']) => [target === 'oncall:platform' ? onCall(now) : 'owner'],
    mayTell: (who) => !gone.includes(who),
    isHere: (who) => !gone.includes(who),
    quietUntil: (who) => (urgent ? undefined : quietUntil(quiet[who] ?? null, now)),
  })
  const rang: string[] = []
  const note = (who: string, now: number) =>
    rang.push(`${who} ${new Date(now).toISOString().slice(11, 16)}`)
  const steps = [
    { afterMs: 10 * MINUTE, tell: ['oncall:platform'] },
    { afterMs: 10 * MINUTE, tell: ['owners'] },
  ]
  const first = start(['ana', 'bob'], steps, begin, worldAt(begin))
  for (const who of first.ring) note(who, begin)
  let { state } = first
  for (let now = begin + MINUTE; now < endsAt; now += MINUTE) {
    if (claimAfter !== undefined && now === begin + claimAfter * MINUTE) {
      state = delay(state, 5 * MINUTE)
    }
    const dueAt = dueAtOf(state, endsAt)
    if (dueAt === null || dueAt > now) continue
    const next = step(state, now, worldAt(now))
    for (const who of next.ring) note(who, now)
    state = next.state
  }
  return rang
}

const ROWS: Array<[string, Play, string[]]> = [
  ['by day', { at: '2026-10-21T10:00Z' }, ['ana 10:00', 'owner 10:10', 'bob 11:00']],
  ['at night', { at: '2026-10-21T23:00Z' }, ['bob 23:00', 'owner 23:10', 'ana 05:00']],
  [
    'at night, urgent',
    { at: '2026-10-21T23:00Z', urgent: true },
    ['ana 23:00', 'bob 23:00', 'owner 23:10'],
  ],
  [
    'over the end of summer time',
    { at: '2026-10-24T23:30Z' },
    ['bob 23:30', 'owner 23:40', 'ana 06:00'],
  ],
  [
    'claimed by Ana after five minutes',
    { at: '2026-10-21T10:00Z', claimAfter: 5 },
    ['ana 10:00', 'owner 10:15', 'bob 11:00'],
  ],
  [
    'another one is on call from nine o’clock on',
    {
      at: '2026-10-21T06:55Z',
      onCall: (now) => (now < Date.parse('2026-10-21T07:00Z') ? 'cleo' : 'dev'),
    },
    ['ana 06:55', 'dev 07:05', 'owner 07:15', 'bob 11:00'],
  ],
  ['both deciders are gone', { at: '2026-10-21T10:00Z', gone: ['ana', 'bob'] }, ['owner 10:00']],
]

for (const [name, row, rang] of ROWS) {
  test(`who rings when, minute by minute: ${name}`, () => {
    expect(play(row)).toEqual(rang)
  })
}

test('if nobody is left of those who were told, the next step is due', () => {
  const world: EscalationWorld = {
    endsAt: 99 * MINUTE,
    recipients: (tell) => [...tell],
    mayTell: (who) => who !== 'ana',
    isHere: (who) => who !== 'ana',
    quietUntil: () => undefined,
  }
  const state: EscalationState = {
    steps: [{ afterMs: MINUTE, tell: ['bob'] }],
    told: [{ personId: 'ana', at: 0 }],
    waiting: [],
    stepAt: MINUTE,
  }
  expect(step(state, 1, world).ring).toEqual(['bob'])
  const isHere = () => true
  expect(step(state, 1, { ...world, isHere }).ring).toEqual([])
})

test('quiet hours end by the clock on the wall, also where it is changed', () => {
  const until = (hours: QuietHours, at: string) => {
    const end = quietUntil(hours, Date.parse(at))
    return end === undefined ? undefined : new Date(end).toISOString().slice(0, 16)
  }
  expect(until(BERLIN, '2026-10-21T20:00Z')).toBe('2026-10-22T05:00')
  expect(until(BERLIN, '2026-10-24T20:00Z')).toBe('2026-10-25T06:00')
  expect(until(BERLIN, '2026-03-28T21:30Z')).toBe('2026-03-29T05:00')
  expect(until(BERLIN, '2026-10-21T12:00Z')).toBeUndefined()
  // The clock shows half past two twice, and in spring not at all.
  const short = { ...BERLIN, to: '02:30' }
  expect(until(short, '2026-10-25T00:10Z')).toBe('2026-10-25T00:30')
  expect(until(short, '2026-10-25T01:10Z')).toBe('2026-10-25T01:30')
  expect(until(short, '2026-03-29T00:40Z')).toBe('2026-03-29T01:30')
  const day = { from: '09:00', to: '17:00', zone: 'Asia/Kathmandu' }
  expect(until(day, '2026-06-01T04:00Z')).toBe('2026-06-01T11:15')
})

const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const PEOPLE = ['a', 'b', 'c', 'd', 'e', 'sub_f']

/**
 * The same rules, told as a story of one minute after the other: it remembers nothing but who was
 * told and which steps are over.
 */
function oracle(world: (now: number) => EscalationWorld, first: string[], steps: StepList) {
  const rang: string[] = []
  const done = new Set<string>()
  const wanted = new Map<string, number>()
  let at = 0
  let rest = steps
  for (let now = 0; now < world(0).endsAt; now++) {
    const { mayTell, quietUntil: quiet, isHere } = world(now)
    const want = (who: string) => {
      if (done.has(who) || wanted.has(who) || !mayTell(who)) return false
      const until = quiet(who)
      if (until !== undefined) {
        wanted.set(who, until)
        return false
      }
      done.add(who)
      rang.push(`${who} ${now}`)
      return true
    }
    for (const [who, until] of [...wanted]) {
      if (until > now) continue
      wanted.delete(who)
      want(who)
    }
    const people = [...done].filter((who) => !who.startsWith('sub_'))
    let isDue = now === 0 || now >= at || (people.length > 0 && !people.some(isHere))
    let tell: string[] | undefined = now === 0 ? first : undefined
    while (isDue && (tell || rest[0])) {
      const isAny = (tell ?? rest[0]?.tell ?? []).map(want).includes(true)
      if (!tell) rest = rest.slice(1)
      tell = undefined
      at = now + (isAny ? (rest[0]?.afterMs ?? 0) : 0)
      isDue = now >= at
    }
  }
  return rang
}
type StepList = Array<{ afterMs: number; tell: string[] }>

test('five hundred random worlds agree with a story that is told minute by minute', () => {
  const draw = random(20_261_130)
  const some = () => PEOPLE.filter(() => draw(3) === 0)
  for (let round = 0; round < 500; round++) {
    const quietTo = new Map(PEOPLE.map((who) => [who, [draw(40), draw(60)] as const]))
    const isNightOf = (who: string, now: number) => {
      const [from = 0, to = 0] = quietTo.get(who) ?? []
      return from <= now && now < to
    }
    const leavesAt = new Map(PEOPLE.map((who) => [who, draw(4) === 0 ? draw(60) : 999]))
    const silent = new Set(PEOPLE.filter(() => draw(6) === 0))
    const isHere = (who: string, now: number) => (leavesAt.get(who) ?? 0) > now
    const world = (now: number): EscalationWorld => ({
      endsAt: 60,
      recipients: (tell) => tell,
      mayTell: (who) => isHere(who, now) && !silent.has(who),
      isHere: (who) => !who.startsWith('sub_') && isHere(who, now),
      quietUntil: (who) => (isNightOf(who, now) ? quietTo.get(who)?.[1] : undefined),
    })
    const first = some()
    const steps = Array.from({ length: draw(4) }, () => ({ afterMs: 1 + draw(20), tell: some() }))
    const opened = start(first, steps, 0, world(0))
    const rang = opened.ring.map((who) => `${who} 0`)
    let { state } = opened
    for (let now = 1; now < 60; now++) {
      const next = step(state, now, world(now))
      rang.push(...next.ring.map((who) => `${who} ${now}`))
      state = next.state
    }
    expect([round, rang]).toEqual([round, oracle(world, first, steps)])
    expect(new Set(rang.map((one) => one.split(' ')[0])).size).toBe(rang.length)
  }
})
