import { Glob } from 'bun'

/** A file of the repository: its path from the root, and its text. */
export type Source = { path: string; text: string }

const ROOT = `${import.meta.dir}/../..`
const CODE = /\.(ts|tsx)$/
const BESIDE =
  /^(Dockerfile|LICENSE|\.env\.example|\.dockerignore|\.ci\/run|[^/]+\.(md|json|toml))$/

/** Every file of `src` and `test`, with the few beside them that people read. */
export async function repositorySources(): Promise<Source[]> {
  const glob = new Glob(
    '{src,test,drizzle,packages,docs,.ci}/**/*.{ts,tsx,css,js,md,json,toml,sh,yml,yaml,sql,svg}',
  )
  const all = [...glob.scanSync({ cwd: ROOT, dot: true })]
  const paths = all.filter((path) => !path.includes('node_modules/'))
  for (const path of new Glob('{*,.*,.ci/*}').scanSync({ cwd: ROOT, dot: true })) {
    if (BESIDE.test(path)) paths.push(path)
  }
  const unique = [...new Set(paths)].sort()
  return Promise.all(
    unique.map(async (path) => ({ path, text: await Bun.file(`${ROOT}/${path}`).text() })),
  )
}

export function isProduct({ path }: Source): boolean {
  return path.startsWith('src/') && CODE.test(path) && !path.endsWith('.d.ts')
}

/** Lines of `text` that match and do not begin a comment, as `path:line`. */
export function linesThatMatch({ path, text }: Source, pattern: RegExp): string[] {
  return text
    .split('\n')
    .map((line, i) =>
      pattern.test(line) && !/^\s*(\/\/|\/?\*)/.test(line) ? `${path}:${i + 1} ${line.trim()}` : '',
    )
    .filter(Boolean)
}
