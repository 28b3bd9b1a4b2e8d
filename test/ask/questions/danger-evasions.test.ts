import { expect, test } from 'bun:test'
import { dangersIn } from '../../../src/ask/wire/danger/dangers.ts'

const EVASIONS = [
  '"rm" -rf x',
  "'r'm -r'f' x",
  'r\\m -rf x',
  'r\\\nm -rf x',
  'rm$IFS-rf$IFSx',
  `rm${'$'}{IFS}-rf${'$'}{IFS}x`,
  "$'\\x72m' -rf x",
  "$'\\162\\155' -rf x",
  '{rm,-rf,x}',
  'ｒｍ -rf x',
  'RM -RF x',
  'rm -v -i -r x',
  'rm x -rf',
  'sudo rm x y z --recursive',
  'echo "$(rm -rf x)"',
  'echo `rm -rf x`',
  'echo "npm publish" | sh',
  'echo "npm publish" > x.sh; sh x.sh',
  `bash -c "bash -c 'rm -rf x'"`,
  'find . -type f -print0 | xargs -0 rm -f',
  'ssh host "rm -rf /data"',
  'docker exec db sh -c "rm -rf /data"',
  'git submodule foreach "git clean -fd"',
  'git -c alias.x="!rm -rf y" x',
  'nice -n 10 npm publish',
  'mise exec -- npm publish',
  'C:\\tools\\npm.cmd publish',
  './node_modules/.bin/vsce publish',
  'if true; then npm publish; fi',
  'for i in a b; do kubectl delete ns $i; done',
  'npm\u00a0publish',
  `${'x '.repeat(900)}\nrm -rf y`,
]
test.each(EVASIONS.map((one) => [one]))('written another way: %s', (action) => {
  expect(dangersIn(action)).not.toEqual([])
})

test('where the danger stands is said by place, in the text as it was given', () => {
  const text = `😀 ${'長'.repeat(40)}; ｒｍ  x   -rf y; cat ~/.ssh/id_rsa`
  const parts = dangersIn(text).map(({ parts }) => parts.map(([from, to]) => text.slice(from, to)))
  expect(parts).toEqual([
    ['ｒｍ', '-rf'],
    ['cat', '~/.ssh/id_rsa'],
  ])
})
