import { expect, test } from 'bun:test'
import { OUTPUTS } from '../../../src/agent/touches/outputs.ts'
import { TOUCH_ROWS } from '../../../src/agent/touches/rows.ts'
import { readTouches } from '../../../src/agent/touches/touches.ts'
import { isWritten, type Kind } from '../../../src/ask/wire/reading/row.ts'
import { rowNames, rowOf } from '../../../src/ask/wire/reading/rows/index.ts'

const look = (path: string) => (path === '/w' || path === '/w/src' ? 'folder' : undefined)

/** Whether a command is understood and does not write outside of `/w/src`. */
function passes(command: string): boolean {
  const { touches, open } = readTouches(command, { cwd: '/w', look, list: () => [] })
  const isOutside = touches.some(({ path }) => !`${path}/`.startsWith('/w/src/'))
  return open === undefined && !isOutside
}

/** The spellings of an option with its value. */
function spellings(option: string, value: string, isSingle: boolean): string[] {
  if (option.startsWith('--') || isSingle) return [`${option} ${value}`, `${option}=${value}`]
  return option.length === 2 ? [`${option} ${value}`, `${option}${value}`] : [`${option} ${value}`]
}

// git has a reader of its own.
const PROGRAMS = rowNames().filter((name) => !/^git\b/.test(name))

/** The program with what makes it write at all. */
function inUse(name: string, kind: Kind): string {
  if (name !== 'tar') return name
  return kind === 'archive' ? 'tar -c' : 'tar -x'
}

const OF_ROWS = PROGRAMS.flatMap((name) => {
  const row = rowOf(name)
  return [...(row?.options ?? [])].flatMap(([option, { takes, kind }]) =>
    takes === 'value' && isWritten(kind)
      ? spellings(option, 'b', row?.singleHyphen === true).map(
          (one) => `${inUse(name, kind)} ${one}`,
        )
      : [],
  )
})

const OF_TOUCHES = Object.entries(TOUCH_ROWS).flatMap(([name, { writes, into, trees }]) =>
  [writes, into, trees]
    .flatMap((options) => options?.split(' ') ?? [])
    .filter((option) => option !== '')
    .flatMap((option) => spellings(option, 'b', false).map((one) => `${name} ${one}`)),
)

const OF_OUTPUTS = Object.entries(OUTPUTS).flatMap(([name, options]) =>
  options.split(' ').flatMap((option) => `${name} ${option} b`),
)

test('a file outside of the scope that an option names as written never passes', () => {
  const commands = [...OF_ROWS, ...OF_TOUCHES, ...OF_OUTPUTS].map((one) => `${one} src/a`)
  expect(commands.filter(passes)).toEqual([])
  expect(commands.length).toBeGreaterThan(300)
})

test('operands that are written outside of the scope never pass', () => {
  const commands = PROGRAMS.flatMap((name) => {
    const operands = rowOf(name)?.operands ?? []
    const at = operands.findIndex((kind) => isWritten(kind))
    // `mv a` moves nothing.
    return at < 0 || name === 'mv' ? [] : [`${name} ${'src/a '.repeat(at)}b`]
  })
  expect(commands.filter(passes)).toEqual([])
  expect(commands.length).toBeGreaterThan(20)
})
