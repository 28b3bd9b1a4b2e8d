import { compileSegment } from '../../ask/wire/matcher/segment.ts'

/** Access to the disk, as far as the budget for reading goes; paths are absolute or from `~`. */
export type Disk = {
  /** The names in a folder; undefined if it is not a folder, or if the budget is used up. */
  names(folder: string): readonly string[] | undefined
  isThere(path: string): boolean
  /** `*` matches names that begin with a dot, too. */
  hidden?: boolean
}

/**
 * `found`: the names that the shell expands a pattern to. `near`: the names it would expand to if
 * the literal last parts existed too, unless the pattern matches every folder. Both are spelled
 * like the pattern: relative, absolute, or from `~`.
 */
export type Matches = { found: string[]; near: string[] }

type Path = { text: string; there: boolean }

/**
 * The files that a word with `*`, `?` and `[…]` names in a folder, level by level. `**` matches
 * folders of any depth, as in zsh and with globstar. The disk limits how much is read.
 */
export function matchPattern(pattern: string, folder: string, disk: Disk): Matches {
  const start = /^(\/+|~\/+|)/.exec(pattern)?.[0] ?? ''
  const parts = pattern.slice(start.length).split(/\/+/)
  const absolute = (text: string) => (start === '' ? `${folder}/${text}` : text)
  let paths: Path[] = [{ text: start, there: true }]
  let patterns = false
  for (const [at, part] of parts.entries()) {
    const last = at === parts.length - 1
    const end = last ? '' : '/'
    if (/[*?[]/.test(part)) {
      patterns = true
      const fits = matcher(part, disk.hidden === true)
      const deep = part === '**'
      const next: Path[] = []
      // `**` may match no folder at all: `**/a` matches `a` too.
      if (deep && !last) next.push(...paths)
      const todo = [...paths]
      for (let path = todo.shift(); path; path = todo.shift()) {
        for (const name of disk.names(absolute(path.text)) ?? []) {
          if (!fits(name)) continue
          next.push({ ...path, text: `${path.text}${name}${end}` })
          if (deep) todo.push({ ...path, text: `${path.text}${name}/` })
        }
      }
      paths = next
    } else {
      paths = paths.map(({ text, there }) => {
        const longer = `${text}${part}`
        const exists = there && (!patterns || disk.isThere(absolute(longer)))
        return { text: `${longer}${end}`, there: exists }
      })
    }
  }
  return {
    found: paths.filter(({ there }) => there).map(({ text }) => text),
    near: parts.some((part) => /^\*+$/.test(part)) ? [] : paths.map(({ text }) => text),
  }
}

/** A name that begins with a dot matches only a pattern that does, unless the shell is told so. */
function matcher(part: string, hidden: boolean): (name: string) => boolean {
  const fits = matcherOf(part)
  return (name) => (hidden || part.startsWith('.') || !name.startsWith('.')) && fits(name)
}

/** The names that a pattern matches where a dot is a character like others. */
export function matcherOf(part: string): (name: string) => boolean {
  // A set with a class in it, such as `[[:alpha:]]`, counts as any character.
  const text = part.replace(
    /\[[!^]?(?:\[[:.=][^\]]*\]|[^[\]])*\[[:.=](?:\[[:.=]|[^\]])*\][^\]]*\]/g,
    '?',
  )
  const sets = text.replaceAll('[^', '[!').normalize('NFC')
  const fits = compileSegment(sets, 'exact', { steps: 0 })
  return (name) => fits(name.normalize('NFC'))
}

/** Returns true if a pattern in these folders may match a path; compares the last name alone. */
export function mayName(pattern: string, path: string): boolean {
  const last = (text: string) => text.split('/').findLast((name) => name !== '') ?? ''
  const part = last(pattern)
  return !/[*?[]/.test(part) || part === '**' || matcherOf(part)(last(path))
}
