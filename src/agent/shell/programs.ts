import { byTar, byZip } from './exclusions.ts'
import { type Arg, literalArg, type Notes, type Places } from './notes.ts'
import { baseName } from './operands.ts'
import { hasFlag, type Options, readOptions, valuesOf, words } from './options.ts'
import { PATTERN } from './word-text.ts'

type Program = (args: readonly Arg[], places: Places, notes: Notes) => void

/** Commands whose arguments need more than a row of the table. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  dd,
  sed,
  tar,
  bsdtar: tar,
  unzip,
  zip,
  curl,
  wget,
  gzip: squeezes('.gz'),
  gunzip: squeezes('.gz'),
  bzip2: squeezes('.bz2'),
  bunzip2: squeezes('.bz2'),
  xz: squeezes('.xz'),
  unxz: squeezes('.xz'),
  zstd: squeezes('.zst'),
}

function dd(args: readonly Arg[], places: Places, notes: Notes) {
  for (const arg of args) {
    if (arg.text.startsWith('of='))
      notes.target({ ...arg, text: arg.text.slice(3), raw: arg.raw.slice(3) }, 'write', places)
  }
}

function sed(args: readonly Arg[], places: Places, notes: Notes) {
  const options = readOptions(args, words('-i? -e -f -l --expression --file --line-length'))
  const scripts = valuesOf(options, '-e --expression')
  const separate = scripts.length > 0 || hasFlag(options, '-f --file')
  // On macOS the word after `-i` is the suffix of the backup copy.
  const given = options.operands.filter(({ text, why }, at) => at > 0 || text !== '' || why)
  const script = separate ? undefined : given[0]
  const files = separate ? given : given.slice(1)
  for (const { text } of script ? [script, ...scripts] : scripts) {
    if (!scriptWrites(text)) continue
    notes.opaque('sed may write what its script says')
    notes.code(text, places)
  }
  if (!hasFlag(options, '-i --in-place')) return
  const [ending] = valuesOf(options, '-i --in-place')
  for (const file of files) {
    notes.target(file, 'write', places)
    if (ending && file.why === undefined) notes.target(kept(file, ending.text), 'write', places)
  }
}

/** The backup copy of `-i.bak`; a `*` in the suffix is replaced by the name. */
function kept(file: Arg, ending: string): Arg {
  if (!ending.includes('*')) return { text: file.text + ending, raw: file.raw + ending }
  const name = baseName(file.text)
  const folder = file.text.slice(0, file.text.length - name.length)
  const copy = ending.replaceAll('*', () => name)
  return literalArg(copy.includes('/') ? copy : folder + copy)
}

/** `tar xf a`, `tar -xf a -C folder`, `tar --create --file=a`. */
function tar(args: readonly Arg[], places: Places, notes: Notes) {
  const [mode, ...rest] = args
  const old = mode && mode.why === undefined && /^[A-Za-z]+$/.test(mode.text)
  const dashed = old ? [literalArg(`-${mode.text}`), ...rest] : args
  const takes =
    '-C -f -T -X -b -g -H --directory --cd --one-top-level --file --exclude --files-from --exclude-from --strip-components --transform --owner --group --mode'
  const options = readOptions(dashed, words(takes))
  const folders = valuesOf(options, '-C --directory --cd --one-top-level')
  if (hasFlag(options, '-x --extract --get')) {
    for (const folder of folders) notes.target(folder, 'tree', places)
    if (folders.length === 0) notes.opaque('tar writes what its archive holds')
  }
  if (hasFlag(options, '-c -r -u -A --create --append --update --delete --concatenate'))
    for (const file of valuesOf(options, '-f --file')) notes.target(file, 'write', places)
  if (hasFlag(options, '-c -r -u --create --append --update')) {
    const within = folders.length > 0 ? folders.flatMap((one) => notes.enter(one, places)) : places
    const first = options.operands[0]
    // After the first file, an exclusion leaves nothing of it out.
    const before = readOptions(dashed.slice(0, first && dashed.indexOf(first)), words(takes))
    const anchored = hasFlag(options, '--anchored --no-wildcards')
    const patterns = anchored ? [] : valuesOf(before, '--exclude')
    for (const source of options.operands) notes.takeCopy(source, within, { by: byTar, patterns })
  }
  if (dashed.some(({ text }) => /^(--to-command|--checkpoint-action|-I|--use-compress)/.test(text)))
    notes.opaque('tar runs other programs')
}

/** `zip -r a.zip folder -x 'folder/b*'`; without a name it writes to its output. */
function zip(args: readonly Arg[], places: Places, notes: Notes) {
  const options = readOptions(args, words('-b -i -n -t -x -P -O --out --exclude'))
  const [archive, ...sources] = options.operands
  for (const file of [...(archive ? [archive] : []), ...valuesOf(options, '-O --out')])
    notes.target(file, 'write', places)
  if (!hasFlag(options, '-r -R --recurse-paths --recurse-patterns')) return
  const patterns = valuesOf(options, '-x --exclude')
  for (const source of sources) notes.takeCopy(source, places, { by: byZip, patterns })
}

function unzip(args: readonly Arg[], places: Places, notes: Notes) {
  const options = readOptions(args, words('-d -x -P'))
  if (hasFlag(options, '-l -p -t -v -Z')) return
  const folders = valuesOf(options, '-d')
  for (const folder of folders) notes.target(folder, 'tree', places)
  if (folders.length === 0) notes.opaque('unzip writes what its archive holds')
}

/** `gzip a` replaces `a` by `a.gz`, or the other way round. */
function squeezes(ending: string): Program {
  return (args, places, notes) => {
    const options = readOptions(args, words('-S --suffix -o -D -T --threads'))
    for (const value of valuesOf(options, '-o')) notes.target(value, 'write', places)
    if (hasFlag(options, '-c -l -t --stdout --to-stdout --list --test')) return
    if (hasFlag(options, '-r --recursive')) notes.opaque('it writes files that it does not name')
    for (const file of options.operands) {
      notes.target(file, 'delete', places)
      const text = file.text.endsWith(ending)
        ? file.text.slice(0, -ending.length)
        : file.text + ending
      notes.target({ ...file, text }, 'write', places)
    }
  }
}

const CURL_WRITES =
  '-o -D -c --output --dump-header --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl'
const CURL_TAKES =
  '-A -b -C -d -e -E -F -H -K -m -P -Q -r -t -T -u -U -w -x -X -y -Y -z --output-dir --data --data-raw --data-binary --data-urlencode --json --form --header --user --user-agent --request --url --max-time --connect-timeout --retry --proxy --cacert --cert --key --write-out --referer --cookie --upload-file --config --range --resolve --limit-rate --retry-delay'

function curl(args: readonly Arg[], places: Places, notes: Notes) {
  const options = readOptions(args, words(`${CURL_WRITES} ${CURL_TAKES}`))
  const [folder] = valuesOf(options, '--output-dir')
  const there = folder === undefined ? places : notes.enter(folder, places)
  for (const { option, value } of options.values) {
    if (!words(CURL_WRITES).includes(option) || value.text === '-') continue
    notes.target(value, 'write', /^(-o|--output)$/.test(option) ? there : places)
  }
  if (hasFlag(options, '-K --config')) notes.opaque('curl does what its settings say')
  if (hasFlag(options, '-J --remote-header-name')) notes.opaque('the server names the file')
  if (hasFlag(options, '-O --remote-name --remote-name-all')) remoteNames(options, there, notes)
}

const WGET_WRITES = '-O -o -a --output-document --output-file --append-output --save-cookies'
const WGET_TAKES =
  '-P --directory-prefix -t -T -w -Q -l -A -R -D -I -X -U -e -B -i --header --user --password --user-agent --post-data --tries --timeout --wait --level --body-data --method --base --input-file --limit-rate --load-cookies --ca-certificate'

function wget(args: readonly Arg[], places: Places, notes: Notes) {
  const options = readOptions(args, words(`${WGET_WRITES} ${WGET_TAKES}`))
  for (const value of valuesOf(options, WGET_WRITES))
    if (value.text !== '-') notes.target(value, 'write', places)
  if (hasFlag(options, '-O --output-document --spider')) return
  const [folder] = valuesOf(options, '-P --directory-prefix')
  if (folder) notes.target(folder, 'tree', places)
  else if (
    hasFlag(options, '-r -m -p -i -x --recursive --mirror --input-file --content-disposition')
  )
    notes.opaque('wget writes what it finds')
  else remoteNames(options, places, notes)
}

function remoteNames({ operands }: Options, places: Places, notes: Notes) {
  for (const { text, raw, why } of operands) {
    const name = baseName(text.replace(/^\w+:\/\/[^/]*/, '').replace(/[?#].*$/s, ''))
    // A word with `?` is an address if no file matches it, because the shell then leaves it alone.
    const known =
      why === undefined || why === PATTERN ? { text: name, raw: name } : { text, raw, why }
    notes.target(name === '' ? literalArg('index.html') : known, 'write', places)
  }
}

/**
 * Whether a sed script has a command that writes a file or runs a program (`w`, `W`, `e`, and both
 * as flags of `s`). A script that cannot be read counts as one that does.
 */
function scriptWrites(script: string): boolean {
  let at = 0
  while (at < script.length) {
    const char = script[at] as string
    if (/[\s;{}\d,$!+~]/.test(char)) at++
    else if (char === '/' || char === '\\') at = behind(script, char === '/' ? at : at + 1, 1)
    else if (char === 's' || char === 'y') {
      at = behind(script, at + 1, 2)
      const flags = /[a-zA-Z\d]*/y
      flags.lastIndex = at
      const given = flags.exec(script)?.[0] ?? ''
      if (/[we]/.test(given)) return true
      at += given.length
    } else if (/[wWe]/.test(char)) return true
    else at = /[aicrR:btT#}]/.test(char) ? endOfLine(script, at) : at + 1
  }
  return false
}

/** The position after `/…/`, or `/…/…/` with two parts; the first character is the delimiter. */
function behind(script: string, start: number, parts: number): number {
  const delimiter = script[start]
  let left = parts
  for (let at = start + 1; at < script.length; at++) {
    if (script[at] === '\\') at++
    else if (script[at] === delimiter && --left === 0) return at + 1
  }
  return script.length
}

function endOfLine(script: string, at: number): number {
  const end = script.indexOf(/[btT:]/.test(script[at] ?? '') ? ';' : '\n', at)
  const line = script.indexOf('\n', at)
  const ends = [end, line].filter((one) => one >= 0)
  return ends.length > 0 ? Math.min(...ends) + 1 : script.length
}
