import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readCalendar } from '../../../src/ask/rota/read-calendar.ts'

const WINDOW = { from: Date.parse('2026-10-18T00:00Z'), to: Date.parse('2026-12-17T00:00Z') }
const calendar = (events: string) => `BEGIN:VCALENDAR\r\n${events}END:VCALENDAR\r\n`
const event = (...lines: string[]) => `BEGIN:VEVENT\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\n`

const names =
  'DTSTART DTEND DURATION RRULE RDATE EXDATE EXRULE RECURRENCE-ID SUMMARY UID STATUS'.split(' ')
const values = [
  ...['20261020T090000Z', '20261020T090000', '20261020', '00010101T000000', '99991231T235959Z'],
  ...['20261399T999999', 'P7D', '-P1D', 'P9999999W', 'PT0S', '20261020T090000Z/PT1H', 'CANCELLED'],
  ...[
    'FREQ=DAILY',
    'FREQ=YEARLY;COUNT=9999',
    'FREQ=WEEKLY;BYDAY=MO;WKST=SU',
    'FREQ=MONTHLY;BYDAY=-5FR',
  ],
  ...['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=SECONDLY', 'FREQ=DAILY;UNTIL=x', '__proto__', ''],
]
const parameters = [
  '',
  ';VALUE=DATE',
  ';VALUE=PERIOD',
  ';TZID=Europe/Berlin',
  ';TZID=X',
  ';RANGE=THISANDFUTURE',
]
const line = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom(...parameters),
    fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'binary', maxLength: 40 })),
  )
  .map(([name, parameter, value]) => `${name}${parameter}:${value}`)

test('any calendar is read or refused with a reason, and every shift is in the window', async () => {
  const events = fc.array(fc.array(line, { maxLength: 8 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(events, async (lists) => {
      const text = calendar(lists.map((lines) => event(...lines)).join(''))
      const result = await readCalendar(text, 'Europe/Berlin', WINDOW)
      if ('problem' in result) return result.problem !== ''
      return result.shifts.every(
        ({ from, to }) => from < to && from < WINDOW.to && to > WINDOW.from,
      )
    }),
    { numRuns: 500, seed: 1_148 },
  )
})

test('a text of any kind is no calendar rather than a fault', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (text) => {
      expect(await readCalendar(text, 'UTC', WINDOW)).toHaveProperty('problem')
    }),
    { numRuns: 200, seed: 1_148 },
  )
})

test('what would keep a reader busy is refused', async () => {
  const daily = event('DTSTART:19700101T000000Z', 'DURATION:PT0S', 'RRULE:FREQ=DAILY')
  for (const text of [
    calendar(daily.repeat(200)),
    calendar(event(`ATTENDEE${';A=B'.repeat(40_000)}:x`)),
    calendar(event(`EXDATE:${'20261020T000000Z,'.repeat(10_000)}`)),
    'BEGIN:VCALENDAR\r\n'.repeat(10_000),
  ]) {
    expect(await readCalendar(text, 'UTC', WINDOW)).toHaveProperty('problem')
  }
})
