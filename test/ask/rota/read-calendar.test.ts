import { expect, test } from 'bun:test'
import { readCalendar } from '../../../src/ask/rota/read-calendar.ts'

const WINDOW = { from: Date.parse('2026-10-18T00:00Z'), to: Date.parse('2026-12-17T00:00Z') }
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'].join('\r\n')
const calendar = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n')

async function shifts(...events: string[]): Promise<string[]> {
  const read = await readCalendar(calendar(...events), 'Europe/Berlin', WINDOW)
  if ('problem' in read) throw new Error(read.problem)
  const text = (at: number) => new Date(at).toISOString().slice(5, 16)
  return read.shifts.map(({ from, to }) => `${text(from)} ${text(to)}`)
}
const problem = async (...events: string[]) => {
  const read = await readCalendar(calendar(...events), 'Europe/Berlin', WINDOW)
  return 'problem' in read ? read.problem : undefined
}
const WEEK = ['DTSTART:20261019T070000Z', 'DTEND:20261026T080000Z']

test('a zone of the IANA needs no VTIMEZONE, and one that is there changes nothing', async () => {
  const lines = ['DTSTART;TZID=America/New_York:20261020T090000', 'DURATION:PT1H']
  const wrong = [
    ...['BEGIN:VTIMEZONE', 'TZID:America/New_York', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
    ...['TZOFFSETFROM:+0900', 'TZOFFSETTO:+0900', 'END:STANDARD', 'END:VTIMEZONE'],
  ].join('\r\n')
  expect(await shifts(event(...lines))).toEqual(['10-20T13:00 10-20T14:00'])
  expect(await shifts(wrong, event(...lines))).toEqual(['10-20T13:00 10-20T14:00'])
})

test('a zone of Windows is the one of the IANA; another one is refused by its name', async () => {
  const at = (zone: string) =>
    event(`DTSTART;TZID="${zone}":20261020T090000`, 'DURATION:PT1H', 'SUMMARY:Ana')
  expect(await shifts(at('W. Europe Standard Time'))).toEqual(['10-20T07:00 10-20T08:00'])
  expect(await shifts(at('pacific standard time'))).toEqual(['10-20T16:00 10-20T17:00'])
  expect(await shifts(at('/citadel.org/20210210_1/Asia/Kathmandu'))).toEqual([
    '10-20T03:15 10-20T04:15',
  ])
  for (const zone of ['Customized Time Zone', 'Mars/Olympus', '']) {
    expect(await problem(at(zone))).toContain(`“${zone}”`)
  }
})

test('times without a zone, and whole days, are of the rota’s zone', async () => {
  expect(await shifts(event('DTSTART:20261020T090000', 'DTEND:20261020T100000'))).toEqual([
    '10-20T07:00 10-20T08:00',
  ])
  const day = event('DTSTART;VALUE=DATE:20261024', 'DTEND;VALUE=DATE:20261026')
  expect(await shifts(day)).toEqual(['10-23T22:00 10-25T23:00'])
  expect(await shifts(event('DTSTART;VALUE=DATE:20261024'))).toEqual(['10-23T22:00 10-24T22:00'])
})

test('a week is a week on the wall, also over the end of summer time', async () => {
  const [start, end] = [
    'DTSTART;TZID=Europe/Berlin:20261012T090000',
    'DTEND;TZID=Europe/Berlin:20261019T090000',
  ]
  expect(await shifts(event(start, end, 'RRULE:FREQ=WEEKLY;COUNT=3'))).toEqual([
    '10-12T07:00 10-19T07:00',
    '10-19T07:00 10-26T08:00',
    '10-26T08:00 11-02T08:00',
  ])
})

test('intervals, ends, EXDATE and RDATE are kept', async () => {
  const daily = (...more: string[]) =>
    shifts(event('DTSTART;TZID=Europe/Berlin:20261020T090000', 'DURATION:PT1H', ...more))
  expect(await daily('RRULE:FREQ=DAILY;INTERVAL=2;UNTIL=20261024T070000Z')).toEqual([
    '10-20T07:00 10-20T08:00',
    '10-22T07:00 10-22T08:00',
    '10-24T07:00 10-24T08:00',
  ])
  expect(await daily('RRULE:FREQ=DAILY;UNTIL=20261021T065959Z')).toHaveLength(1)
  expect(await daily('RRULE:FREQ=DAILY;UNTIL=20261021')).toHaveLength(2)
  const four = 'RRULE:FREQ=DAILY;COUNT=4'
  expect(
    await daily(four, 'EXDATE;TZID=Europe/Berlin:20261021T090000', 'EXDATE:20261023T070000Z'),
  ).toEqual(['10-20T07:00 10-20T08:00', '10-22T07:00 10-22T08:00'])
  expect(await daily(four, 'EXDATE;VALUE=DATE:20261020,20261021,20261022')).toHaveLength(1)
  expect(await daily('RDATE:20261105T070000Z', 'RDATE:20261020T070000Z')).toEqual([
    '10-20T07:00 10-20T08:00',
    '11-05T07:00 11-05T08:00',
  ])
})

test('one occurrence is moved or cancelled by its RECURRENCE-ID, and a cancelled event is none', async () => {
  const series = event(...WEEK.slice(0, 1), 'DURATION:P1D', 'RRULE:FREQ=DAILY;COUNT=3')
  const moved = event('RECURRENCE-ID:20261020T070000Z', 'DTSTART:20261030T070000Z', 'DURATION:P1D')
  const off = event(
    'RECURRENCE-ID:20261021T070000Z',
    'DTSTART:20261021T070000Z',
    'STATUS:CANCELLED',
  )
  expect(await shifts(moved, series, off)).toEqual([
    '10-19T07:00 10-20T07:00',
    '10-30T07:00 10-31T07:00',
  ])
  expect(await shifts(event(...WEEK, 'STATUS:CANCELLED'))).toEqual([])
})

test('what is not understood makes a calendar unreadable instead of naming somebody else', async () => {
  for (const lines of [
    ['RRULE:FREQ=SECONDLY'],
    ['RRULE:FREQ=HOURLY;INTERVAL=12'],
    ['RRULE:FREQ=DAILY;BYHOUR=9,21'],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=20'],
    ['RRULE:FREQ=DAILY;BYDAY=2MO'],
    ['RRULE:FREQ=DAILY;COUNT=10001'],
    ['RRULE:FREQ=DAILY;INTERVAL=99999999'],
    ['EXRULE:FREQ=DAILY'],
    ['RECURRENCE-ID;RANGE=THISANDFUTURE:20261019T070000Z'],
  ]) {
    expect([lines, await problem(event(...WEEK, 'SUMMARY:Night', ...lines))]).toEqual([
      lines,
      expect.stringContaining('“Night”'),
    ])
  }
  const long = event('DTSTART:19000101T000000Z', 'DTEND:20990101T000000Z', 'RRULE:FREQ=DAILY')
  expect(await problem(long)).toBeDefined()
  const old = event('DTSTART:19700101T000000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=10000')
  expect(await shifts(old)).toEqual([])
  const many = Array.from({ length: 3_000 }, () => event(...WEEK))
  expect(await problem(...many)).toBeDefined()
})

test('what is no calendar is not taken for an empty one', async () => {
  const read = (text: string) => readCalendar(text, 'UTC', WINDOW)
  for (const text of [
    '',
    '<!doctype html><p>Sign in',
    '{}',
    'BEGIN:VEVENT\r\nEND:VEVENT',
    'BEGIN:VCALENDAR',
  ]) {
    expect(await read(text)).toHaveProperty('problem')
  }
  expect(await read(calendar())).toEqual({ shifts: [] })
})

test('people are read from attendees who did not decline, the organizer, and the title', async () => {
  const read = await readCalendar(
    calendar(
      event(
        ...WEEK,
        'SUMMARY:Ana \\, on call',
        'ORGANIZER;CN=Boss:MAILTO:Boss@example.org',
        'ATTENDEE;PARTSTAT=DECLINED:mailto:bo@example.org',
        'ATTENDEE;CN=Ana;PARTSTAT=ACCEPTED:mailto:Ana@example.org',
        'ATTENDEE;EMAIL=cleo@example.org:urn:uuid:1',
      ),
    ),
    'UTC',
    WINDOW,
  )
  expect(read).toMatchObject({
    shifts: [
      {
        attendees: ['ana@example.org', 'cleo@example.org'],
        organizer: 'boss@example.org',
        summary: 'Ana , on call',
      },
    ],
  })
})
