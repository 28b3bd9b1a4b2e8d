import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

/** An import between two folders, or files, that lie side by side in `parent`. */
export type FolderImport = {
  /** Paths from the root of the repository. */
  file: string
  imported: string
  /** The names directly below `parent`: of a folder, or of a file that lies there itself. */
  from: string
  to: string
}

const STATEMENTS = [/\bfrom '(\.[^']+)'/g, /^import '(\.[^']+)'/gm, /\bimport\(\s*'(\.[^']+)'/g]

/** Reads the imports of `src`, those of types included, as pairs of paths, each pair once. */
export async function readImports(root: string): Promise<Array<[string, string]>> {
  const imports = new Map<string, [string, string]>()
  for (const file of new Glob('src/**/*.{ts,tsx,js}').scanSync({ cwd: root })) {
    const text = await Bun.file(join(root, file)).text()
    for (const statement of STATEMENTS) {
      for (const [, specifier = ''] of text.matchAll(statement)) {
        const imported = normalize(join(dirname(file), specifier))
        imports.set(`${file} ${imported}`, [file, imported])
      }
    }
  }
  return [...imports.values()].sort()
}

/** Selects the imports from one entry of `parent` to another. */
export function importsBetween(
  imports: ReadonlyArray<[string, string]>,
  parent: string,
): FolderImport[] {
  return imports.flatMap(([file, imported]) => {
    const [from, to] = [entryOf(parent, file), entryOf(parent, imported)]
    return from === undefined || to === undefined || from === to
      ? []
      : [{ file, imported, from, to }]
  })
}

/** The name directly below `parent` that `path` lies in; undefined outside of `parent`. */
export function entryOf(parent: string, path: string): string | undefined {
  return path.startsWith(`${parent}/`) ? path.slice(parent.length + 1).split('/')[0] : undefined
}

/** Pairs that import each other. */
export function mutualPairs(imports: readonly FolderImport[]): Array<[string, string]> {
  const arrows = new Set(imports.map(({ from, to }) => `${from} ${to}`))
  return [...arrows]
    .map((arrow) => arrow.split(' ') as [string, string])
    .filter(([from, to]) => from < to && arrows.has(`${to} ${from}`))
    .sort()
}

/** Groups in which each entry reaches each other one: the strongly connected components. */
export function rings(imports: readonly FolderImport[]): string[][] {
  const arrows = Map.groupBy(imports, ({ from }) => from)
  const entries = [...new Set(imports.flatMap(({ from, to }) => [from, to]))].sort()
  const reached = new Map(entries.map((entry) => [entry, reachedFrom(entry, arrows)]))
  const reaches = (from: string, to: string) => reached.get(from)?.has(to) === true
  const groups = Map.groupBy(entries, (entry) =>
    entries.find((other) => other === entry || (reaches(entry, other) && reaches(other, entry))),
  )
  return [...groups.values()].filter(({ length }) => length > 1)
}

function reachedFrom(start: string, arrows: Map<string, FolderImport[]>): Set<string> {
  const reached = new Set<string>()
  const next = [start]
  for (let entry = next.pop(); entry !== undefined; entry = next.pop()) {
    for (const { to } of arrows.get(entry) ?? []) {
      if (!reached.has(to)) next.push(to)
      reached.add(to)
    }
  }
  return reached
}
