/** @jsxImportSource preact */
import { expect, test } from 'bun:test'
import { render } from 'preact-render-to-string'
import { DangerNote } from '../../../src/ask/inbox/pages/at-stake.tsx'
import { AgentName } from '../../../src/ask/pages/agent-name.tsx'
import { MarkedCommand, SafeText } from '../../../src/ask/pages/marked.tsx'
import { aQuestion } from '../../support/question.ts'

const marksIn = (page: string) =>
  [...page.matchAll(/<mark class="letter" data-name="([^"]+)">([^<]*)<\/mark>/g)].map(
    ([, name, letter]) => [name, letter],
  )

test.each<[string, string, string[][]]>([
  ['a joiner', 'npm te\u2060st', [['U+2060', '\u2060']]],
  ['a blank of another kind', 'npm\u00a0test', [['U+00A0', '\u00a0']]],
  ['a tag', 'npm test\u{e0041}', [['U+E0041', '\u{e0041}']]],
  ['a Cyrillic letter', 'np\u043c test', [['Cyrillic', '\u043c']]],
  ['a Greek letter', 'npm t\u03b5st', [['Greek', '\u03b5']]],
  ['a word of another alphabet', 'echo тест', []],
  ['a picture', 'echo 👩‍💻', []],
])('a command with %s', (_, command, marks) => {
  const page = render(<MarkedCommand text={command} shell />)
  expect(marksIn(page)).toEqual(marks)
  expect(page.replace(/<[^>]+>/g, '')).toBe(command)
})

test('a letter that deceives is marked inside of what is dangerous', () => {
  const page = render(<MarkedCommand text={'rm -rf /\u200b'} shell />)
  expect(marksIn(page)).toEqual([['U+200B', '\u200b']])
  expect(page).toContain('class="danger"')
})

test('texts and names of an agent are marked, and the page says why', () => {
  expect(marksIn(render(<SafeText text={'Open `p\u0430ypal`\u00a0?'} />))).toEqual([
    ['Cyrillic', '\u0430'],
  ])
  expect(marksIn(render(<AgentName name={'Cl\u0430ude - sh\u200bop'} />))).toHaveLength(2)
  const plain = aQuestion('a', { type: 'confirm', question: 'Open paypal?' })
  expect(render(<DangerNote question={plain} />)).toBe('')
  const question = aQuestion('a', { type: 'confirm', question: 'Open p\u0430ypal?' })
  expect(render(<DangerNote question={question} />)).toContain('letters')
})
