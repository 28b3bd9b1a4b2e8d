/**
 * What a glob means, said once more in the plainest way: by trying everything. For short texts of
 * the alphabet `a b . / * ? [ ] ! -` alone.
 */
export function meansPath(glob: string, path: string): boolean {
  if (glob === '' || split(glob).includes('..') || split(path).includes('..')) return false
  if (glob.startsWith('/') !== path.startsWith('/')) return false
  return parts(split(glob), split(path))
}

function split(text: string): string[] {
  return text.split('/').filter((segment) => segment !== '' && segment !== '.')
}

function parts([first, ...rest]: string[], names: string[]): boolean {
  if (first === undefined) return names.length === 0
  if (first === '**') {
    return parts(rest, names) || (names.length > 0 && parts([first, ...rest], names.slice(1)))
  }
  const [name, ...others] = names
  return name !== undefined && (first === name || chars(first, name)) && parts(rest, others)
}

function chars(glob: string, name: string): boolean {
  if (glob === '') return name === ''
  const rest = glob.slice(1)
  if (glob[0] === '*') return chars(rest, name) || (name !== '' && chars(glob, name.slice(1)))
  if (name === '') return false
  const set = /^\[(?:([!^])(.[^\]]*)|([^!^][^\]]*))\](.*)$/s.exec(glob)
  if (set) {
    const [, not, others, members = '', after = ''] = set
    const isMatch = isMember(others ?? members, name[0] as string)
    return isMatch === (not === undefined) && chars(after, name.slice(1))
  }
  return (glob[0] === '?' || glob[0] === name[0]) && chars(rest, name.slice(1))
}

function isMember(members: string, char: string): boolean {
  const range = /^(.)-(.)(.*)$/s.exec(members)
  if (range) {
    const [, from = '', to = '', rest = ''] = range
    return (from <= char && char <= to) || isMember(rest, char)
  }
  return members !== '' && (members[0] === char || isMember(members.slice(1), char))
}
