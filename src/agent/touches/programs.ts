import type { TouchNotes } from './notes.ts'
import { baseName, enter, joinAll, type Operand, type Places } from './operand.ts'
import { hasExactly, hasFlag, list, type Options, readOptions, valuesOf } from './options.ts'

type Program = (words: readonly Operand[], places: Places, notes: TouchNotes) => void

/** Programs whose words need more than a row of the table. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  dd,
  sed,
  tar,
  bsdtar: tar,
  unzip,
  zip,
  curl,
  wget,
  find,
  patch,
  sqlite3,
  gzip: squeezes('.gz'),
  gunzip: squeezes('.gz'),
  bzip2: squeezes('.bz2'),
  bunzip2: squeezes('.bz2'),
  xz: squeezes('.xz'),
  unxz: squeezes('.xz'),
  zstd: squeezes('.zst'),
  unzstd: squeezes('.zst'),
}

function dd(words: readonly Operand[], places: Places, notes: TouchNotes) {
  for (const word of words) {
    const isKnown = word.why === undefined
    if (isKnown && word.text.startsWith('of='))
      notes.target({ text: word.text.slice(3) }, 'write', places)
    else if (!isKnown && !/^(if|bs|count|skip|seek)=/.test(word.prefix ?? ''))
      notes.open('a file that it changes is not known')
  }
}

function sed(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const options = readOptions(words, list('-i? -e -f -l --expression --file --line-length'))
  if (!hasFlag(options, '-i --in-place')) return
  const isSeparate = valuesOf(options, '-e -f --expression --file').length > 0
  // On macOS the word after `-i` is the suffix of the backup copy.
  const operands = options.operands.filter(({ text, why }, at) => at > 0 || text !== '' || why)
  const [ending] = valuesOf(options, '-i --in-place')
  for (const operand of isSeparate ? operands : operands.slice(1)) {
    for (const file of notes.expanded(operand, places)) {
      notes.target(file, 'write', places)
      if (ending && file.why === undefined) notes.target(backup(file, ending), 'write', places)
    }
  }
}

/** The backup copy of `-i.bak`; a `*` in the suffix is replaced by the name. */
function backup({ text }: Operand, ending: Operand): Operand {
  if (ending.why !== undefined) return ending
  if (!ending.text.includes('*')) return { text: text + ending.text }
  const name = baseName(text)
  const copy = ending.text.replaceAll('*', () => name)
  return { text: copy.includes('/') ? copy : text.slice(0, text.length - name.length) + copy }
}

const TAR_TAKES =
  '-C -f -T -X -b -g -H --directory --cd --one-top-level --file --exclude --files-from --exclude-from --strip-components --transform --owner --group --mode'

const TAR_LEAVES_OUT = '-X --exclude --exclude-from --exclude-vcs --exclude-tag'

/** `tar xf a`, `tar -xf a -C folder`, `tar --create --file=a`. */
function tar(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const [mode, ...rest] = words
  const isOld = mode && mode.why === undefined && /^[A-Za-z]+$/.test(mode.text)
  const options = readOptions(isOld ? [{ text: `-${mode.text}` }, ...rest] : words, list(TAR_TAKES))
  const folders = valuesOf(options, '-C --directory --cd --one-top-level')
  if (hasFlag(options, '-x --extract --get')) {
    for (const folder of folders) notes.target(folder, 'tree', places)
    if (folders.length === 0) notes.changesUnnamed('tar writes what its archive holds')
    if (hasFlag(options, '-P --absolute-names')) notes.open('tar writes where its archive says')
  }
  if (hasFlag(options, '-c -r -u -A --create --append --update --delete --concatenate'))
    for (const file of valuesOf(options, '-f --file')) {
      if (file.text !== '-') notes.target(file, 'write', places)
    }
  if (!hasFlag(options, '-c -r -u --create --append --update')) return
  if (hasFlag(options, '-T --files-from')) notes.readsMore('tar packs what a list names')
  const within = folders.length > 0 ? folders.flatMap((one) => enter(one, places)) : places
  const how = {
    ...(hasFlag(options, TAR_LEAVES_OUT) ? { leavesOut: true as const } : {}),
    ...(hasFlag(options, '-h --dereference') ? { follows: true as const } : {}),
  }
  for (const source of options.operands)
    for (const one of notes.expanded(source, within)) {
      if (hasFlag(options, '--remove-files')) loseWhole(one, within, notes)
      else notes.takeCopy(one, within, how)
    }
}

/** `zip -r a.zip folder`; without a name it writes to its output. */
function zip(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const options = readOptions(words, list('-b -i -n -t -x -P -O --out --exclude --include'))
  const [archive, ...sources] = options.operands
  for (const file of [...(archive ? [archive] : []), ...valuesOf(options, '-O --out')])
    if (file.text !== '-') notes.target(file, 'write', places)
  if (hasFlag(options, '-m --move')) {
    notes.changesUnnamed('zip removes what it packs')
    for (const source of sources) loseWhole(source, places, notes)
  }
  if (!hasFlag(options, '-r -R --recurse-paths --recurse-patterns')) return
  const how = {
    ...(hasFlag(options, '-x -i --exclude --include') ? { leavesOut: true as const } : {}),
    ...(hasFlag(options, '-y --symlinks') ? {} : { follows: true as const }),
  }
  for (const source of sources)
    for (const one of notes.expanded(source, places)) {
      if (hasFlag(options, '-m --move')) notes.takeAway(one, places)
      else notes.takeCopy(one, places, how)
    }
}

/** Files and folders that an archive takes in, and that are removed then. */
function loseWhole(source: Operand, places: Places, notes: TouchNotes) {
  notes.loseFile(source, places)
  notes.takeAway(source, places)
}

function unzip(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const options = readOptions(words, list('-d -x -P'))
  if (hasExactly(options, '-l -p -t -v -Z')) return
  const folders = valuesOf(options, '-d')
  for (const folder of folders) notes.target(folder, 'tree', places)
  if (folders.length === 0) notes.changesUnnamed('unzip writes what its archive holds')
}

/** `gzip a` replaces `a` by `a.gz`, or the other way round. */
function squeezes(ending: string): Program {
  return (words, places, notes) => {
    const options = readOptions(words, list('-S --suffix -o -D -T --threads'))
    for (const value of valuesOf(options, '-o')) notes.target(value, 'write', places)
    if (hasExactly(options, '-c -l -t --stdout --to-stdout --list --test')) return
    const isDeep = hasFlag(options, '-r --recursive')
    for (const operand of options.operands) {
      for (const file of notes.expanded(operand, places)) {
        notes.target(file, isDeep ? 'tree' : 'delete', places)
        if (file.why !== undefined) continue
        const isPacked = file.text.endsWith(ending)
        const text = isPacked ? file.text.slice(0, -ending.length) : file.text + ending
        notes.target({ text }, 'write', places)
      }
    }
  }
}

const CURL_WRITES =
  '-o -D -c --output --dump-header --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl'
const CURL_TAKES =
  '-A -b -C -d -e -E -F -H -K -m -P -Q -r -t -T -u -U -w -x -X -y -Y -z --output-dir --data --data-raw --data-binary --data-urlencode --json --form --header --user --user-agent --request --url --max-time --connect-timeout --retry --proxy --cacert --cert --key --write-out --referer --cookie --upload-file --config --range --resolve --limit-rate --retry-delay'

function curl(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const options = readOptions(words, list(`${CURL_WRITES} ${CURL_TAKES}`))
  const [folder] = valuesOf(options, '--output-dir')
  const there = folder === undefined ? places : enter(folder, places)
  for (const { option, value } of options.values) {
    if (!list(CURL_WRITES).includes(option) || value.text === '-') continue
    notes.target(value, 'write', /^(-o|--output)$/.test(option) ? there : places)
  }
  if (hasFlag(options, '-K --config')) notes.open('curl does what its settings say')
  if (hasFlag(options, '-J --remote-header-name')) notes.open('the server names the file')
  if (hasFlag(options, '-O --remote-name --remote-name-all')) remoteNames(options, there, notes)
}

const WGET_WRITES = '-O -o -a --output-document --output-file --append-output --save-cookies'
const WGET_TAKES =
  '-P --directory-prefix -t -T -w -Q -l -A -R -D -I -X -U -e -B -i --header --user --password --user-agent --post-data --tries --timeout --wait --level --body-data --method --base --input-file --limit-rate --load-cookies --ca-certificate'

function wget(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const options = readOptions(words, list(`${WGET_WRITES} ${WGET_TAKES}`))
  for (const value of valuesOf(options, WGET_WRITES))
    if (value.text !== '-') notes.target(value, 'write', places)
  if (hasFlag(options, '-O --output-document') || hasExactly(options, '--spider')) return
  const [folder] = valuesOf(options, '-P --directory-prefix')
  const finds = '-r -m -p -i -x --recursive --mirror --input-file --content-disposition'
  if (folder) notes.target(folder, 'tree', places)
  else if (hasFlag(options, finds)) notes.target({ text: '.' }, 'tree', places)
  else remoteNames(options, places, notes)
}

function remoteNames({ operands }: Options, places: Places, notes: TouchNotes) {
  for (const { text, why, isPattern } of operands) {
    const name = baseName(text.replace(/^\w+:\/\/[^/]*/, '').replace(/[?#].*$/s, ''))
    // A word with `?` is an address if no file matches it, because the shell then leaves it alone.
    const isKnown = why === undefined || isPattern
    const file = isKnown ? { text: name === '' ? 'index.html' : name } : { text, why }
    notes.target(file, 'write', places)
  }
}

/** `patch`: the file that it names, or whatever its patch names. */
function patch(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const takes =
    '-p -i -F -B -D -V -z -Y -d -o -r --strip --input --fuzz --suffix --prefix --directory --output --reject-file --ifdef --version-control'
  const options = readOptions(words, list(takes))
  if (hasExactly(options, '--dry-run')) return
  const [folder] = valuesOf(options, '-d --directory')
  const there = folder === undefined ? places : enter(folder, places)
  for (const value of valuesOf(options, '-o -r --output --reject-file'))
    if (value.text !== '-') notes.target(value, 'write', there)
  const [file] = options.operands
  if (file) notes.target(file, 'write', there)
  else notes.open('it writes what its patch names')
}

function sqlite3(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const options = readOptions(words, list('-separator -init -cmd -newline -nullvalue -vfs'))
  const [file] = options.operands
  if (file && !words.some(({ text }) => text === '-readonly')) notes.target(file, 'write', places)
}

const SELECTS_NOTHING = /^-(delete|depth|d|xdev)$/
const FOUND_STARTS = new Set(['rm', 'unlink', 'shred', 'rmdir'])

/** `find`: what it removes and writes itself. The commands that it starts are in the reading too. */
function find(words: readonly Operand[], places: Places, notes: TouchNotes) {
  const at = words.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPD]$/.test(text))
  const before = (at < 0 ? words : words.slice(0, at)).filter(({ text }) => !/^-/.test(text))
  const starts = before.length > 0 ? before : [{ text: '.' }]
  const tests = at < 0 ? [] : words.slice(at)
  for (const [n, { text }] of tests.entries()) {
    if (/^-(fprint0?|fprintf|fls)$/.test(text))
      notes.target(tests[n + 1] ?? { text: '' }, 'write', places)
  }
  const started = tests.flatMap(({ text }, n) =>
    /^-(exec|execdir|ok|okdir)$/.test(text) ? [tests[n + 1]?.text ?? ''] : [],
  )
  const deletes = tests.some(({ text }) => text === '-delete')
  const names = namesOf(tests)
  const follows = words.some(({ text }) => /^-(L|follow)$/.test(text))
  notes.findsIn(starts, places, {
    ...(names ? { nameFilter: names } : {}),
    ...(follows ? { follows: true } : {}),
  })
  if (deletes || started.some((name) => FOUND_STARTS.has(baseName(name))))
    noteRemovedByFind(starts, tests, places, notes)
  if (deletes && tests.every(({ text }) => SELECTS_NOTHING.test(text))) {
    for (const start of starts) notes.takeAway(start, places)
  } else if (deletes) notes.noteChangeOfSearch()
}

const ACTION = /^-(exec|execdir|ok|okdir|print|print0|printf|ls|fprint|fprint0|fprintf|fls)$/

/**
 * The names that a `find` searches for; undefined if it may take others. Other tests are not
 * interpreted: they select some of the files.
 */
function namesOf(tests: readonly Operand[]): string[] | undefined {
  const isNot = ({ text = '' }: Partial<Operand> = {}) => /^(!|-not)$/.test(text)
  // A negated group of tests selects all other files.
  if (tests.some(({ text }, at) => text === '(' && isNot(tests[at - 1]))) return
  const isExplicit = tests.some(({ text }) => ACTION.test(text))
  const names: string[] = []
  let choice: Operand[] = []
  for (const test of [...tests, { text: '-o' }]) {
    if (!/^(-o|-or|,)$/.test(test.text)) {
      choice.push(test)
      continue
    }
    const end = choice.findIndex(({ text }) => ACTION.test(text))
    const before = end < 0 ? choice : choice.slice(0, end)
    choice = []
    if (isExplicit && end < 0 && before.at(-1)?.text === '-prune') continue
    const at = before.findIndex(({ text }) => /^-i?name$/.test(text))
    const name = before[at + 1]
    if (
      at < 0 ||
      isNot(before[at - 1]) ||
      !name ||
      name.why !== undefined ||
      name.text.includes('\\')
    )
      return
    names.push(name.text)
  }
  return names
}

/** Notes what `find` may remove: files with the names that it searches for, below its starts. */
function noteRemovedByFind(
  starts: readonly Operand[],
  tests: readonly Operand[],
  places: Places,
  notes: TouchNotes,
) {
  const paths = starts.flatMap(({ text, why }) => (why === undefined ? joinAll(text, places) : []))
  const names = tests.flatMap(({ text }, at) =>
    /^-i?name$/.test(tests[at - 1]?.text ?? '') ? text : [],
  )
  // The effect of other tests is not known: they select some of the files.
  const chooses = tests.some(({ text }) => /^-/.test(text) && !SELECTS_NOTHING.test(text))
  if (chooses && names.length === 0) names.push('*')
  if (paths.length === 0) return
  notes.lose({ how: 'both', places, paths, ...(names.length > 0 ? { names } : {}) })
}
