/** Something that a repository uses, and where it says so. */
export type Use = {
  /** Relative to the repository. */
  file: string
  /** From 1. */
  line: number
} & (
  | { kind: 'package'; registry: 'npm' | 'pypi' | 'go'; name: string; version?: string }
  | { kind: 'address'; url: string; server: string }
  | { kind: 'model'; id: string }
  | { kind: 'variable'; name: string }
)

/** A file that is read for uses. */
export type UseReader = {
  /** True for a path that it reads; with slashes, relative to the repository. */
  reads(path: string): boolean
  /** Throws for a text that it cannot read. */
  read(file: string, text: string): Use[]
}

/** The line on which a text first stands, from 1; 1 if it does not. */
export function lineOf(text: string, part: string): number {
  const at = text.indexOf(part)
  return at < 0 ? 1 : text.slice(0, at).split('\n').length
}

/** The name of a package as its registry compares it. */
export function packageKey(registry: string, name: string): string {
  const plain = name.toLowerCase()
  return `${registry} ${registry === 'pypi' ? plain.replace(/[-_.]+/g, '-') : plain}`
}
