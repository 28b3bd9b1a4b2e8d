import { afterAll, expect, test } from 'bun:test'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import fc from 'fast-check'
import { candidatesOf } from '../../../src/agent/paths/candidates.ts'
import { readTouches } from '../../../src/agent/touches/touches.ts'
import { howOften } from '../../support/share.ts'
import { tempFolder } from '../../support/temp-folder.ts'

// Generated commands are run by the real shell in a folder of their own: whatever changed there
// must have been foreseen, unless the command was said to be opaque.
const temp = tempFolder()
afterAll(() => temp[Symbol.dispose]())
const root = `${realpathSync(temp.path)}/w`
const bash = Bun.which('bash')

const file = fc.constantFrom(
  'a',
  './a',
  "'b c'",
  'b\\ c',
  '"d"',
  "$'e'",
  'src/x',
  'src//y',
  'dir/../a',
  'new',
  'dir/new',
  'by-link/n',
  'empty/new',
)
const folder = fc.constantFrom('src', 'dir', './dir/', 'by-link', 'empty', 'missing', '"src"')
const into = fc.oneof(file, folder)

const pattern = (text: string, ...words: fc.Arbitrary<string>[]) =>
  fc
    .tuple(...words)
    .map((chosen) => chosen.reduce((all, word) => all.replace('%', () => word), text))

const simple = fc.oneof(
  pattern('touch % %', file, file),
  pattern('echo x > %', file),
  pattern('>> % echo x 2> %', file, file),
  pattern('echo x | tee % % > /dev/null', file, file),
  pattern('cp % %', file, into),
  pattern('cp -r % %', into, into),
  pattern('cp % % %', file, file, folder),
  pattern('cp -t % %', folder, file),
  pattern('cp -T % %', file, into),
  pattern('cp --parents % %', file, folder),
  pattern('mv % %', into, into),
  pattern('mv -t % % %', folder, file, file),
  pattern('rm -f % %', file, file),
  pattern('rm -rf %', into),
  pattern('rmdir %', folder),
  pattern('mkdir -p %/{k,l}', folder),
  pattern('mkdir %', into),
  pattern('ln -s % %', file, into),
  pattern('ln -sf %', file),
  pattern('install -D -m 600 % %', file, into),
  pattern('install -d % %', into, into),
  pattern("sed -i 's/x/y/' %", file),
  pattern("sed -i.bak -e 's/x/y/' % %", file, file),
  pattern('chmod -w %', file),
  pattern('chmod -R u+x %', into),
  pattern('dd if=% of=% status=none', file, file),
  pattern('truncate -s 3 %', file),
  pattern('sort -o % %', file, file),
  pattern('sort %>%', file, file),
  pattern('gzip -f %', file),
  pattern('tar -cf % src', file),
  pattern('cat <<E > %\n% > no\nE', file, file),
  pattern('cat <<-"E E" | tee %\n\tx\n\tE E', file),
  pattern('find % -delete', folder),
  pattern('find src -name x -exec touch % \\;', file),
  pattern("bash -c 'touch %'", fc.constantFrom('a', 'src/q', '"t u"')),
  pattern('env -C % touch z', folder),
  pattern('cd % && touch z', folder),
  pattern('cd %; touch z', folder),
  pattern('cd % || touch z', folder),
  pattern('pushd % > /dev/null && touch p; popd; touch q', folder),
  pattern('echo "$(touch %)"', file),
  pattern('diff <(sort %) <(touch %)', file, file),
  pattern('[[ a > % ]] && touch %', file, file),
  pattern('(( 2 > 1 )) && touch %', file),
  pattern("awk '{print}' % > %", file, file),
  pattern('v=%', file),
  pattern('v=%; w=%', folder, file),
  pattern('v=% && touch $v', file),
  pattern('w=%; touch "$w"', file),
  pattern('touch "$v"2'),
  pattern('cp "$v" $w', file),
  pattern('test -e % && v=%', file, file),
  pattern('test -e % || v=%', file, file),
  pattern('echo x | read v'),
  pattern('v+=%', file),
  pattern('unset v'),
  pattern('for v in % %; do touch $v; done', file, file),
  pattern('for w in % %; do touch $w; w=%; done', file, file, file),
  pattern('for v in 1 2; do touch $w; w=%; done', file),
  pattern('w=%; for v in *; do echo x > "$w.$v"; done', fc.constantFrom('src/x', 'd')),
  pattern('n=; until test "$n" = xx; do touch "$w"; w=%; n=x$n; done', file),
  pattern('echo % | xargs touch', fc.constantFrom('a', 'src/x', 'new')),
  pattern('(v=%; touch $v)', file),
)

const compound: fc.Arbitrary<string> = fc.letrec<{ command: string }>((tie) => ({
  command: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 3, arbitrary: simple },
    { weight: 1, arbitrary: pattern('%\n%', tie('command'), tie('command')) },
    { weight: 1, arbitrary: pattern('{ %\n} && { %\n}', tie('command'), tie('command')) },
    { weight: 1, arbitrary: pattern('( %\n) || touch %', tie('command'), file) },
    { weight: 1, arbitrary: pattern('( cd %\n%\n)\n%', folder, tie('command'), tie('command')) },
    { weight: 1, arbitrary: pattern('if %\nthen %\nelse %\nfi', simple, tie('command'), simple) },
    { weight: 1, arbitrary: pattern('for i in 1 2; do %\ndone', tie('command')) },
    { weight: 1, arbitrary: pattern('case x in (y) %\n;; x) %\nesac', simple, tie('command')) },
    { weight: 1, arbitrary: pattern('f() { %\n}\nf\nf', tie('command')) },
    { weight: 1, arbitrary: pattern('%\nx=$(%\n)', simple, tie('command')) },
    { weight: 1, arbitrary: pattern('g() { %\n}\n%\ng', tie('command'), simple) },
    { weight: 2, arbitrary: pattern('%\n%\n%', simple, tie('command'), simple) },
    { weight: 1, arbitrary: pattern('set -e\n%\n%', simple, tie('command')) },
  ),
})).command

function fresh() {
  rmSync(root, { recursive: true, force: true })
  for (const name of ['src', 'dir/deep', 'empty']) mkdirSync(`${root}/${name}`, { recursive: true })
  for (const name of ['a', 'b c', 'd', 'src/x', 'dir/deep/z'])
    writeFileSync(`${root}/${name}`, 'x\n')
  symlinkSync('dir', `${root}/by-link`)
}

/** What is at every path below the root. */
function picture(folder = root, entries = new Map<string, string>()): Map<string, string> {
  for (const name of readdirSync(folder)) {
    const path = `${folder}/${name}`
    const stat = lstatSync(path)
    const kind = stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'file'
    const content =
      kind === 'file' ? readFileSync(path, 'latin1') : kind === 'link' ? readlinkSync(path) : ''
    entries.set(
      path.slice(root.length + 1),
      `${kind} ${kind === 'link' ? '' : stat.mode} ${content}`,
    )
    if (kind === 'folder') picture(path, entries)
  }
  return entries
}

// Every run the same commands; more and others when asked for.
const { FUZZ_RUNS } = process.env
const RUNS = FUZZ_RUNS ? Number(FUZZ_RUNS) : howOften(100, 250)

// A loop that never ends outlives its shell; this ends the whole group of processes.
const WITHIN = Bun.which('timeout') ? ['timeout', '-s', 'KILL', '5'] : []

test.skipIf(bash === null)(
  'whatever a command changed was foreseen, or the command was open',
  () => {
    let seen = 0
    fc.assert(
      fc.property(compound, (command) => {
        fresh()
        const reading = readTouches(command, { cwd: root })
        if (reading.open !== undefined || reading.unnamed !== undefined) return
        seen++
        const foreseen = reading.touches.map(({ path, touch }) => ({
          touch,
          // `mkdir -p a/../b` makes `a` on its way.
          written: path.slice(root.length + 1),
          paths: candidatesOf(path, { cwd: root, roots: [root], home: root }).paths,
        }))
        const before = picture()
        Bun.spawnSync([...WITHIN, bash ?? '', '--norc', '-c', command], {
          cwd: root,
          env: { PATH: '/usr/bin:/bin', HOME: root, LC_ALL: 'C.UTF-8' },
          stdin: 'ignore',
          stdout: 'ignore',
          stderr: 'ignore',
          timeout: 6_000,
        })
        const after = picture()
        for (const path of new Set([...before.keys(), ...after.keys()])) {
          if (before.get(path) === after.get(path)) continue
          const madeOnTheWay = !before.has(path) && after.get(path)?.startsWith('folder')
          const isForeseen = foreseen.some(({ paths, touch, written }) =>
            [...paths, written].some(
              (one) =>
                one === path ||
                (touch === 'tree' && (one === '.' || path.startsWith(`${one}/`))) ||
                (madeOnTheWay && (one.startsWith(`${path}/`) || one.includes('/../'))),
            ),
          )
          if (!isForeseen)
            throw new Error(
              `${path} changed, foreseen was ${JSON.stringify(reading.touches)}: ${command}`,
            )
        }
      }),
      { numRuns: RUNS, ...(FUZZ_RUNS ? {} : { seed: 7 }) },
    )
    expect(seen).toBeGreaterThan(RUNS / 2)
  },
  60_000,
)
