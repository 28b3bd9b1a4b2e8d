import { expect, test } from 'bun:test'
import { bodyWords, isDiff, readDiff, withoutPluses } from '../../../src/ask/pages/change.ts'
import { marksOf } from '../../../src/ask/pages/marked.tsx'

const GIT = `diff --git a/src/a.ts b/src/a.ts
index 123abc..456def 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,3 +10,4 @@ function a() {
 same
--- not a header
++++ not one either
+new
 end
diff --git a/b.md b/b.md
--- a/b.md
+++ b/b.md
@@ -1 +1 @@
-old
+new`

test('a diff of git is read by file, with the numbers of its lines', () => {
  const [a, b] = readDiff(GIT)
  expect([a?.name, a?.added, a?.removed]).toEqual(['src/a.ts', 2, 1])
  expect([b?.name, b?.added, b?.removed]).toEqual(['b.md', 1, 1])
  expect(a?.lines.slice(4).map(({ kind, number }) => [kind, number])).toEqual([
    ['meta', undefined],
    ['same', 10],
    ['del', 11],
    ['add', 11],
    ['add', 12],
    ['same', 13],
  ])
  expect(bodyWords(GIT)).toBe('+3 −2 in 2 files')
})

test('patches of other forms are counted', () => {
  expect(bodyWords('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b')).toBe('+1 −1 in 1 file')
  expect(bodyWords('*** Begin Patch\n*** Add File: n\n+a\n*** Delete File: m\n*** End Patch')).toBe(
    '+1 −0 in 2 files',
  )
  expect(bodyWords('-old\n+new\n+more')).toBe('+2 −1 in 1 file')
  expect(bodyWords('set -e\nmake\n')).toBe('2 lines')
  expect(isDiff('ls -la\n-x')).toBe(false)
})

test('a hunk that claims to be longer than it is hides no file', () => {
  const text = '--- a/x\n+++ b/x\n@@ -1,999999 +1,999999 @@\n+a\ndiff --git a/y b/y\n+evil'
  expect(readDiff(text).map(({ name }) => name)).toEqual(['x', 'y'])
})

test('the next file begins with its headers, whatever the hunk before claims', () => {
  const next = ['--- a/y', '+++ b/y', '@@ -1 +1 @@', '-old', '+new']
  for (const claimed of ['-1,9 +1', '-1 +1,9', '-1,3 +1,3', '-1,2 +1']) {
    const text = ['--- a/x', '+++ b/x', `@@ ${claimed} @@`, '-a', '+b', ...next].join('\n')
    expect(readDiff(text).map(({ name, added, removed }) => [name, added, removed])).toEqual([
      ['x', 1, 1],
      ['y', 1, 1],
    ])
  }
})

test('lines of a file that look like headers belong to a hunk that is as long as it claims', () => {
  const hunk = ['@@ -1,2 +1,2 @@', ' a', '--- y', '+++ y', '@@ -9 +9 @@', '-b', '+c']
  const text = ['--- a/x', '+++ b/x', ...hunk].join('\n')
  expect(readDiff(text).map(({ name, added, removed }) => [name, added, removed])).toEqual([
    ['x', 2, 2],
  ])
})

test('whatever the text, its lines are all there', () => {
  const hostile = [
    GIT,
    '@@ -0 +0 @@',
    '+++ ',
    '--- \n+++ ',
    '',
    '\n\n\n',
    `@@ -9 +9 @@\n${'-'.repeat(3_000)}`,
  ]
  for (const text of [...hostile, hostile.join('\n')]) {
    const lines = readDiff(text).flatMap((file) => file.lines)
    expect(lines.map((line) => line.text).join('\n')).toBe(text)
    for (const { text: line, from } of lines)
      expect(text.slice(from, from + line.length)).toBe(line)
  }
})

test('headers that only name the file once more are told apart, and no others', () => {
  const repeats = (text: string) =>
    readDiff(text).flatMap(({ lines }) =>
      lines.flatMap((line) => (line.isRepeat ? [line.text] : [])),
    )
  expect(repeats(GIT)).toEqual([
    'diff --git a/src/a.ts b/src/a.ts',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    'diff --git a/b.md b/b.md',
    '--- a/b.md',
    '+++ b/b.md',
  ])
  expect(repeats('diff --git a/x b/y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b')).toEqual(['+++ b/y'])
  expect(repeats('--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a')).toEqual(['+++ b/n'])
})

test('an added line reads without its sign, in the same length', () => {
  const text = '@@ -1 +1,2 @@\n-ls\n+rm -rf /srv\n same'
  expect(withoutPluses(text)).toBe('@@ -1 +1,2 @@\n-ls\n rm -rf /srv\n same')
  const diff = withoutPluses(text)
  const marks = marksOf(diff).map(({ from, to, is }) => [diff.slice(from, to), is])
  expect(marks).toEqual([['rm -rf', 'danger']])
  expect(marksOf(text)).toEqual([])
})
