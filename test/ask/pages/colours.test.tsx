/** @jsxImportSource preact */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { render } from 'preact-render-to-string'
import { ActionBody } from '../../../src/ask/pages/action-body.tsx'
import { MarkedCommand } from '../../../src/ask/pages/marked.tsx'
import { byLine, coloursIn, languageOf } from '../../../src/ask/pages/syntax/colours.ts'
import { shellColours } from '../../../src/ask/pages/syntax/shell.ts'
import { MARKUP } from '../../support/hostile-corpus.ts'

/** The text of what is in a fragment of a page. */
function textIn(html: string): string {
  const texts = html.replace(/<[^>]+>/g, '')
  return texts.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
}
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }

function shownText(text: string, about: { shell?: boolean; path?: string } = {}): string {
  const page = render(<ActionBody text={text} shell={about.shell ?? true} path={about.path} />)
  return [...page.matchAll(/<pre[^>]*aria-label="[^"]*"[^>]*>([\s\S]*?)<\/pre>/g)]
    .map(([, inner = '']) => textIn(inner))
    .join('')
}

const coloursOf = (text: string) =>
  shellColours(text).map(({ from, to, is }) => `${is} ${text.slice(from, to)}`)

const NAMES = ['a.ts', 'a.tsx', 'a.py', 'a.css', 'a.yaml', 'a.sql', 'a.rs', 'Dockerfile', 'a.html']

test('programs, flags, variables, strings and comments of a command are told apart', () => {
  expect(coloursOf(`CI=1 git push --force "$B" && npm t # now`)).toEqual([
    ...['key git', 'num --force', 'str "', 'num $B', 'str "', 'key npm', 'rem # now'],
  ])
  expect(coloursOf('if [ -f $a ]; then cat b#c; fi')).toEqual([
    ...['key [', 'num -f', 'num $a', 'key cat'],
  ])
  expect(coloursOf(`a "b $(c "d" '# e')" # f`)).toEqual([
    ...['key a', 'str "b ', 'key c', 'str "d"', `str '# e'`, 'str "', 'rem # f'],
  ])
  expect(coloursOf(`(( 16#ff )); [[ a == '#b' ]]; x='#y' z`)).toEqual([
    ...[`str '#b'`, `str '#y'`, 'key z'],
  ])
  // A redaction is a part of its word.
  expect(coloursOf(`curl -H 'A: ▇▇▇ (token)' -b ▇▇▇ (cookie) && npm t`)).toEqual([
    ...['key curl', 'num -H', `str 'A: ▇▇▇ (token)'`, 'num -b', 'key npm'],
  ])
})

test('what the shell runs never looks like a string or a comment', () => {
  for (const command of [
    `echo "$(echo " # ")"; evil # x`,
    'echo "`true "a" ; evil`"',
    `echo 'a\\' ; evil #'`,
    `echo "a ; evil`,
    `cat <<EOF | sh\n# evil\nEOF`,
    `echo "\${x:-" # "}" ; evil`,
    `diff <(echo " # ") b; evil`,
    `bash -c 'evil'`,
    `python3 -c "evil"`,
    `eval "evil" '# x'`,
    `sudo sh -c "true; evil # x"`,
    'echo "a `evil \\`evil\\`` b"',
  ]) {
    const texts = shellColours(command)
      .filter(({ is }) => is === 'rem' || is === 'str')
      .map(({ from, to }) => command.slice(from, to))
    expect([command, texts.filter((text) => /evil|\$\(|`/.test(text))]).toEqual([command, []])
  }
  // In one line the second command seems to belong to the comment of the first.
  expect(render(<MarkedCommand text="true # first evil" shell />)).not.toContain('rem')
})

test('a change is coloured by the language of its file, a command by that of the shell', () => {
  const change =
    '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n const a = 1\n-let b = "x" // old\n+let b = `y`'
  const page = render(<ActionBody text={change} shell />)
  expect(page).toContain('+<span class="key">let</span>')
  expect(page).toContain('<span class="rem">// old</span>')
  const html = render(<ActionBody text={'-a = 1\n+a = None'} shell={false} path="/w/a.py" />)
  expect(html).toContain('coloured')
  expect(render(<ActionBody text={'-a = 1\n+a = 2'} shell={false} path="/w/a.md" />)).not.toContain(
    'coloured',
  )
  const json = render(<ActionBody text={'{\n  "a": true\n}'} shell={false} />)
  expect(json).toContain('<span class="key">true</span>')
})

test('each side of a change is read for itself, and each hunk', () => {
  const change = `--- a/a.ts
+++ b/a.ts
@@ -1,2 +1,2 @@
-/* begins
+let a = 1
 let b = 2
@@ -9,1 +9,1 @@
-let c = 3
+let d = 4`
  const page = render(<ActionBody text={change} shell />)
  // The comment begins in the old text alone, and its end is not known.
  for (const name of ['a', 'b', 'c', 'd']) expect(page).toContain(`let</span> ${name}`)
})

test('what is dangerous and what was hidden keep their marks', () => {
  const page = render(<ActionBody text={'echo "a"\nrm -rf "/x" # ▇▇▇ [token]'} shell />)
  expect(page).toMatch(/class="danger">rm <span class="flag">-rf/)
  expect(page).toMatch(/class="redacted"[^>]*>▇▇▇ \[token\]/)
})

test('colours never change the text', () => {
  const texts = [...MARKUP, ...MARKUP.map((markup) => `+${markup}\n-'${markup}\n+/* ${markup}`)]
  for (const text of texts) {
    const whole = `${text.replace(/\n+$/, '')}\n`
    expect(shownText(text)).toBe(whole)
    for (const path of NAMES) expect(shownText(text, { shell: false, path })).toBe(whole)
  }
})

test('the colours of any text take nothing out of it', () => {
  const atom = fc.constantFrom(
    ...['<', '</', '/>', '/', '//', '/*', '*/', '`', '${', '}', '{', '(', ')', '"', "'", '\\', ' '],
    ...[
      '\n',
      '\n+',
      '\n-',
      '#',
      '=',
      '=>',
      'a',
      'A',
      '1',
      '$(',
      '▇▇▇',
      'é',
      '👩‍👩',
      'rm -rf',
      '<<',
      '-',
    ],
    ...['type A<', 'return /', '"""', '--- a/x.ts\n+++ b/x.ts\n', '@@ -1 +1 @@', '&amp;', '[', ']'],
  )
  const text = fc.array(atom, { maxLength: 60 }).map((atoms) => atoms.join('').trim())
  fc.assert(
    fc.property(text, fc.constantFrom(...NAMES), fc.boolean(), (source, path, shell) => {
      fc.pre(source !== '')
      expect(shownText(source, { shell, path })).toBe(`${source}\n`)
    }),
    { seed: 17, numRuns: 600 },
  )
})

test('text that the highlighter gives back changed, or that takes it long, has no colours', () => {
  const ts = languageOf('a.ts')
  if (!ts) throw new Error('no language')
  expect(coloursIn('let a', ts)).not.toEqual([])
  expect(coloursIn('</▇▇▇\n*/'.repeat(20), ts)).toEqual([])
  expect(coloursIn(`let a = "${'x'.repeat(9_000)}"`, ts)).toEqual([])
  expect(coloursIn(`let a = 1 ${'-'.repeat(50)}`, ts)).toEqual([])
})

test('a colour over several lines is one of each of them', () => {
  const text = 'a\nbb\n\nccc d'
  expect(byLine(text, [{ from: 0, to: 9, is: 'str' }])).toEqual([
    [{ from: 0, to: 1, is: 'str' }],
    [{ from: 0, to: 2, is: 'str' }],
    [],
    [{ from: 0, to: 3, is: 'str' }],
  ])
})
