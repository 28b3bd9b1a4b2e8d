import { expect, test } from 'bun:test'
import type { Area } from '../../../src/agent/jail/areas.ts'
import { seatbeltProfile } from '../../../src/agent/jail/macos.ts'

type Form = string | { text: string } | Form[]

/**
 * Reads a profile as the system does: lists, words, and strings, in which a backslash takes the next
 * character as it is and a line may end. Throws where it is not one.
 */
function read(profile: string): Form[] {
  let at = 0
  const open: Form[][] = [[]]
  const top = () => open.at(-1) as Form[]
  while (at < profile.length) {
    const next = profile[at] as string
    if (/\s/.test(next)) at++
    else if (next === '(') {
      open.push([])
      at++
    } else if (next === ')') {
      const list = open.pop() as Form[]
      if (open.length === 0) throw new Error(`closed too often at ${at}`)
      top().push(list)
      at++
    } else if (next === '"') {
      let text = ''
      for (at++; profile[at] !== '"'; at++) {
        if (at >= profile.length) throw new Error('a string never ends')
        if (profile[at] === '\\') at++
        text += profile[at]
      }
      at++
      top().push({ text })
    } else {
      const [word = ''] = /^[^\s()"]+/.exec(profile.slice(at)) ?? []
      top().push(word)
      at += word.length
    }
  }
  if (open.length > 1) throw new Error('a list never ends')
  return top()
}

const HOSTILE = [
  '/home/u/plain',
  '/home/u/two words',
  '/home/u/a"b',
  '/home/u/a\\',
  '/home/u/a\\"',
  '/home/u/")(allow file-write* (subpath "/")(deny file-read* (literal "',
  '/home/u/\\")(allow default)(x "',
  '/home/u/line\nbreak',
  '/home/u/;comment\n(allow default)',
  '/home/u/#|block|#',
  '/home/u/$(id)`id`%s$HOME',
  '/home/u/tab\tü\u{1f600}\u202e',
  '/home/u/(((',
  '/home/u/)))',
]

test.each(HOSTILE)('a path is one string, whatever it holds: %j', (path) => {
  const areas: Array<Omit<Area, 'owner'>> = (['write', 'read', 'none'] as const).flatMap((mode) => [
    { path, mode, isFolder: true },
    { path, mode, isFolder: false },
  ])
  const folder = ['subpath', { text: path }]
  const file = ['literal', { text: path }]
  expect(read(seatbeltProfile(areas, [path]))).toEqual([
    ['version', '1'],
    ['allow', 'default'],
    ['deny', 'file-write*'],
    ['allow', 'file-write*', folder],
    ['allow', 'file-write*', folder],
    ['allow', 'file-write*', file],
    ['deny', 'file-write*', folder],
    ['deny', 'file-write*', file],
    ['deny', 'file-read*', 'file-write*', folder],
    ['deny', 'file-read*', 'file-write*', file],
  ])
})

test('the reader refuses what is no profile', () => {
  for (const broken of ['(', ')', '(a "b', '(a))']) expect(() => read(broken)).toThrow()
})
