import { expect, test } from 'bun:test'
import { readCommandIn, readCommandText } from '../../../../src/ask/wire/reading/read.ts'

const placesOf = (text: string, folders?: string[]) => {
  const { commands } = folders
    ? readCommandIn(text, (path) => folders.includes(path))
    : readCommandText(text)
  return commands.findLast(({ program }) => program === 'touch')?.places?.toSorted()
}

test('a command runs in every folder that the shell may be in', () => {
  const cases: [text: string, places: string[] | undefined][] = [
    ['cd a && touch x', ['a']],
    ['cd a; touch x', ['', 'a']],
    ['cd a || touch x', ['', 'a']],
    ['cd a || cd b; touch x', ['', 'a', 'a/b', 'b']],
    ['! cd a && touch x', ['', 'a']],
    ['cd a || exit 1; touch x', ['a']],
    ['cd a || { echo no; exit 1; }; touch x', ['a']],
    ['exit() { :; }; cd a || exit; touch x', ['', 'a']],
    ['cd a && cd b || touch x', ['', 'a', 'a/b']],
    ['if true; then cd a; fi; touch x', ['', 'a']],
    ['while read l; do touch x; cd a; done', undefined],
    ['popd; touch x', undefined],
    ['(cd a); touch x', ['']],
  ]
  for (const [text, places] of cases) expect([text, placesOf(text)]).toEqual([text, places])
})

test('a change to a folder that is there does not fail, until something may have removed it', () => {
  const cases: [text: string, places: string[]][] = [
    ['cd a; touch x', ['a']],
    ['cd a; cd ../b; touch x', ['a/../b']],
    ['cd a; cd none; touch x', ['a', 'a/none']],
    ['rm -r a; cd a; touch x', ['', 'a']],
    ['npm test; cd a; touch x', ['', 'a']],
    ['true || cd a; touch x', ['', 'a']],
  ]
  for (const [text, places] of cases)
    expect([text, placesOf(text, ['', 'a', 'a/../b'])]).toEqual([text, places])
})

test('redirections of groups and loops are in the reading, and all words are', () => {
  const { redirects, words } = readCommandText(
    'cd s && { echo a; } > x; for f in b; do :; done 2>> y; [[ -f c ]] < z',
  )
  expect(redirects.map(({ op, word, places }) => [op, word?.text, places?.includes('s')])).toEqual([
    ['>', 'x', true],
    ['>>', 'y', true],
    ['<', 'z', true],
  ])
  expect(words.map(({ text }) => text)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'x', 'z']))
})

test('a quoted sign beside a pattern is no part of it', () => {
  const sure = (text: string) => readCommandText(text).commands[0]?.words[0]?.sure
  expect(sure('rm *.log')).toBe('names')
  for (const text of ["rm '['a*", 'rm \\**', 'rm "*"*'])
    expect([text, sure(text)]).toEqual([text, 'part'])
})
