import { expect, test } from 'bun:test'
import { Failure } from '../../src/platform/failure.ts'
import { createLog, type LogFormat, type LogLevel } from '../../src/platform/log.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { CORPUS } from '../support/hostile-corpus.ts'

function logInto(lines: string[], format: LogFormat = 'json', level: LogLevel = 'debug') {
  return createLog({ format, level, write: (line) => lines.push(line), clock: fakeClock() })
}

test('a JSON line carries time, level, message and fields', () => {
  const lines: string[] = []
  logInto(lines).info('listening', { port: 8484, missing: undefined })
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { port: 8484, time: '2026-01-31T12:00:00.000Z', level: 'info', message: 'listening' },
  ])
})

test('a pretty line is one line of words', () => {
  const lines: string[] = []
  logInto(lines, 'pretty').warn('slow\nquery', { ms: 12, path: '/a b' })
  expect(lines).toEqual(['12:00:00.000 warn  slow query ms=12 path="/a b"'])
})

test('what is below the level is not written', () => {
  const lines: string[] = []
  const log = logInto(lines, 'json', 'warn')
  log.debug('no')
  log.info('no')
  log.warn('yes')
  log.error('yes')
  expect(lines).toHaveLength(2)
})

test('secrets and what agents and people wrote never reach a line', () => {
  const lines: string[] = []
  const log = logInto(lines)
  const secrets = ['bk_abcDEF-123', 'hunter2', 'drop the table', 'eyJhbGciOi.x.y', 'p4ss', 'gate9']
  log.error('agent bk_abcDEF-123 failed at /pair/gate9?x=1', {
    headers: { Authorization: 'Bearer eyJhbGciOi.x.y', cookie: 'session=hunter2', accept: '*/*' },
    request: { body: 'drop the table', question: 'drop the table', actionBody: 'drop the table' },
    url: 'https://ann:p4ss@host/?token=hunter2',
    line: 'Authorization: Bearer eyJhbGciOi.x.y',
    list: [{ password: 'hunter2' }],
  })
  for (const secret of secrets) expect(lines[0]).not.toContain(secret)
  expect(lines[0]).toContain('*/*')
  expect(lines[0]).toContain('https://ann:')
})

test('an error shows where it happened, and not the parameters of the query that failed', () => {
  const lines: string[] = []
  const cause = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })
  const error = new Error('Failed query: insert into "questions"\nparams: drop the table', {
    cause,
  })
  logInto(lines).error('bug', { error })
  expect(lines[0]).not.toContain('drop the table')
  const logged = JSON.parse(lines[0] ?? '').error
  expect(logged).toMatchObject({ message: 'Failed query: insert into "questions"' })
  expect(logged.cause).toMatchObject({ code: 'SQLITE_IOERR', message: 'disk I/O error' })
  expect(logged.at[0]).toContain('log.test.ts')
})

test('a failure shows its code', () => {
  const lines: string[] = []
  logInto(lines).warn('refused', { error: new Failure('unavailable', 'The disk is full.') })
  expect(JSON.parse(lines[0] ?? '').error).toEqual({
    name: 'Failure',
    message: 'The disk is full.',
    code: 'unavailable',
  })
})

test.each<LogFormat>(['pretty', 'json'])(
  'no text makes a second line, or one of ours: %s',
  (format) => {
    for (const evil of CORPUS) {
      const lines: string[] = []
      const error = new Error(evil, { cause: new Error(evil) })
      const fields = { path: evil, error, about: { [evil]: evil }, list: [evil], [evil]: 1 }
      logInto(lines, format).warn(evil, fields)
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u)
      if (format === 'json') expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn' })
      // A value with a blank in it stands in quotes.
      else expect(lines[0]).toMatch(/^12:00:00\.000 warn {2}/)
    }
  },
)
