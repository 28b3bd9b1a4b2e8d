import { expect, test } from 'bun:test'
import { examplesOf, nearCommands, nearPaths } from '../../../src/ask/wire/examples.ts'
import { readShellCommand } from '../../../src/ask/wire/reading/of-ask.ts'
import { patternOf } from '../../../src/ask/wire/reading/word-pattern.ts'

const ofCommand = (text: string) => {
  const wanted = patternOf(readShellCommand(text), '/p')
  const allows = (one: string) => Bun.deepEquals(patternOf(readShellCommand(one), '/p'), wanted)
  return { ...examplesOf(nearCommands(text), allows), allows }
}

test.each([
  'go test ./... -run TestX -count=1',
  'npm test',
  'npm run test:unit -- src/a.test.ts',
  'npx vitest run',
  'make test',
  './scripts/check a',
  'git log --oneline -5 | head',
  'python3 tools/x.py a',
  'git commit -m "a text"',
  'cd pkg && go test ./...',
  'pytest tests -k "a or b"',
])('examples of commands show two that would pass and two that would not: %s', (text) => {
  const { would, wouldNot, allows } = ofCommand(text)
  expect([text, would.length, wouldNot.length]).toEqual([text, 2, 2])
  expect([would.every(allows), wouldNot.some(allows)]).toEqual([true, false])
  expect(new Set([text, ...would, ...wouldNot]).size).toBe(5)
})

test('examples of commands never show what a permission would decide otherwise, whatever it is', () => {
  for (const text of ['', '$x', '(', 'a'.repeat(30_000), 'rm -rf /', 'x\u202ey z']) {
    const none = examplesOf(nearCommands(text), () => false)
    const all = examplesOf(nearCommands(text), () => true)
    expect([none.would, all.wouldNot]).toEqual([[], []])
  }
})

test('examples of paths lie below a pattern and beside it', () => {
  for (const pattern of ['config/prod*', 'src/**', '.env', 'docs/', 'a/b/c.txt']) {
    const begin = pattern.replace(/[*/]+$/, '')
    const { would, wouldNot } = examplesOf(nearPaths(pattern), (path) => path.startsWith(begin))
    expect([pattern, would.length, wouldNot.length]).toEqual([pattern, 2, 2])
  }
})
