import { readFileSync, statSync } from 'node:fs'
import type { Call } from './call.ts'
import { type Arg, literalArg, UNKNOWN } from './notes.ts'
import { hasFlag, type Options, readOptions, valuesOf, words } from './options.ts'

type How = 'patch' | 'apply' | 'am'

const PATCH_MAX_BYTES = 1024 * 1024
const NAMES_MAX = 500
const UP_MAX = 40
const TAKES: Readonly<Record<How, string>> = {
  patch:
    '-p -i -F -B -D -V -z -Y -d -o -r --strip --input --fuzz --suffix --prefix --directory --output --reject-file --ifdef --version-control',
  apply: '-p -C --directory --exclude --include --whitespace --build-fake-ancestor',
  am: '-p -C --directory --exclude --include --whitespace --patch-format -S',
}
const LOOKS = '--check --stat --numstat --summary --dry-run --show-current-patch --abort --quit'

/** The files that `patch`, `git apply` and `git am` change: those named in the patch. */
export function applyPatch(how: How, args: readonly Arg[], call: Call): void {
  const { notes } = call.shell
  const options = readOptions(args, words(TAKES[how]))
  if (hasFlag(options, LOOKS) && !hasFlag(options, '--apply')) return
  const [folder] = valuesOf(options, '-d --directory')
  const places = how === 'patch' && folder ? notes.enter(folder, call.places) : call.places
  for (const option of ['-o --output', '-r --reject-file'])
    for (const value of how === 'patch' ? valuesOf(options, option) : [])
      if (value.text !== '-') notes.target(value, 'write', places)
  const [file] = how === 'patch' ? options.operands : []
  if (file !== undefined) {
    notes.target(file, 'write', places)
    return
  }
  const texts = patchTexts(how, options, call)
  if (texts === undefined) {
    notes.opaque('it writes what its patch names')
    return
  }
  const names = texts.flatMap(namesIn).slice(0, NAMES_MAX + 1)
  if (names.length > NAMES_MAX) notes.opaque('it touches too much')
  const strip = stripOf(how, options)
  const below = how !== 'patch' && folder ? `${folder.text.replace(/\/+$/, '')}/` : ''
  for (const name of names)
    for (const path of targetsOf(name, strip, how)) {
      const top = how === 'patch' ? undefined : topOf(call)
      notes.target(literalArg(below + path), 'write', top === undefined ? places : [top])
    }
}

/** The patches themselves; undefined when one of them cannot be read here. */
function patchTexts(how: How, options: Options, call: Call): string[] | undefined {
  const { notes } = call.shell
  const files = how === 'patch' ? valuesOf(options, '-i --input') : options.operands
  const fed = call.redirects.findLast(({ op }) => op.startsWith('<'))
  if (files.length > 0) return all(files.map((file) => textOf(file, call)))
  if (fed?.body !== undefined) return [fed.body]
  if (fed?.op === '<') return all([textOf(argIn(fed.target), call)])
  // The output of another command is known if all of it is literal.
  const texts = call.fed.filter((text) => /^(---|\+\+\+|diff --git) /m.test(text))
  if (!call.piped || texts.length === 0 || texts.length < call.fed.length) return undefined
  notes.opaque('it writes what its patch names')
  return texts
}

function argIn({ raw, why }: { raw: string; why?: string }): Arg {
  const text = literalArg(raw)
  return why === undefined && !/[\uE080-\uE086]/.test(raw) ? text : { ...text, why: 'its name' }
}

function textOf(file: Arg, { shell, places }: Call): string | undefined {
  const { notes } = shell
  const [path, more] = notes.joined(file, places)
  if (file.why !== undefined || path === undefined || more !== undefined) return undefined
  const written = notes.written.get(path)
  if (written !== undefined) return written
  return notes.touches.has(`write ${path}`) ? undefined : read(path)
}

function read(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat?.isFile() || stat.size > PATCH_MAX_BYTES) return undefined
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function all(texts: readonly (string | undefined)[]): string[] | undefined {
  const known = texts.filter((text) => text !== undefined)
  return known.length === texts.length ? known : undefined
}

const HEADER = /^(?:--- |\+\+\+ |rename (?:from|to) |copy to |Index: )(.*)$/

/** Every name in a header of a patch; `plain`: it is never stripped. */
function namesIn(patch: string): { name: string; plain: boolean }[] {
  const found = new Map<string, { name: string; plain: boolean }>()
  for (const line of patch.split(/\r?\n/)) {
    const add = (text: string, plain = false) => {
      const name = unquoted(text.replace(/\t.*$/s, '').trim())
      if (name !== '' && name !== '/dev/null') found.set(`${plain} ${name}`, { name, plain })
    }
    const header = HEADER.exec(line)
    // For a binary file, or a change of mode, there is only this line.
    const both = /^diff --git ("?)(?:a\/)(.*)\1 ("?)(?:b\/)(.*)\3$/.exec(line)
    if (header) add(header[1] ?? '', /^(rename|copy) /.test(line))
    else if (both) for (const name of [`a/${both[2]}`, `b/${both[4]}`]) add(name)
    if (found.size > NAMES_MAX) break
  }
  return [...found.values()]
}

function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name.replace(/ \d{4}-\d\d-\d\d .*$/, '')
  try {
    return JSON.parse(name) as string
  } catch {
    return name.slice(1, -1)
  }
}

/** How many leading names are stripped; undefined: `patch` finds out by itself. */
function stripOf(how: How, options: Options): number | undefined {
  const [value] = valuesOf(options, '-p --strip')
  const count = Number(value?.text)
  if (value !== undefined && Number.isInteger(count)) return count
  return how === 'patch' ? undefined : 1
}

function targetsOf(
  { name, plain }: { name: string; plain: boolean },
  strip: number | undefined,
  how: How,
): string[] {
  const parts = name.split('/')
  // A rename has no letter before the path.
  if (plain && how !== 'patch') return [name]
  if (strip === undefined) return [parts.at(-1) ?? name, ...(parts.length > 1 ? [name] : [])]
  const left = parts.slice(strip).join('/')
  return [left === '' ? (parts.at(-1) ?? name) : left]
}

/** The folder that git's paths are relative to: the top of the work tree. */
function topOf({ shell, places }: Call): string | undefined {
  const [place, more] = places
  if (place === undefined || more !== undefined || place === UNKNOWN) return undefined
  let folder = place
  for (let up = 0; up < UP_MAX; up++) {
    if (shell.notes.isThere(`${folder}/.git`)) return folder
    const above = folder.replace(/\/[^/]*$/, '')
    if (above === folder || above === '') return undefined
    folder = above
  }
  return undefined
}
