import { expect, test } from 'bun:test'
import { LINES_MAX, longFunctions } from './long-functions.ts'

/** A page of so many lines of JSX. */
function page(lines: number): string {
  const list = Array.from({ length: lines - 6 }, (_, i) => `      <li>${i}</li>`)
  return ['function Page() {', '  return (', '    <ul>', ...list, '    </ul>', '  )', '}'].join(
    '\n',
  )
}

test('lines of JSX count', () => {
  expect(longFunctions('page.tsx', page(LINES_MAX))).toEqual([])
  expect(longFunctions('page.tsx', page(LINES_MAX + 2))).toEqual([
    { file: 'page.tsx', name: 'Page', lines: LINES_MAX + 2 },
  ])
})

test('functions inside, comments and blank lines do not count', () => {
  const inner = Array.from({ length: 40 }, (_, i) => `    use(${i})`).join('\n')
  const two = ['one', 'two']
    .map((name) => `  function ${name}() {\n${inner}\n  }`)
    .join('\n\n  // Why.\n')
  expect(longFunctions('make.ts', `function make() {\n${two}\n}`)).toEqual([])
})
