import { Glob } from 'bun'
import { withoutComments } from './without-comments.ts'

/** A file of the repository: its path from the root, and its text. */
export type Source = { path: string; text: string }

/** Says what breaks it, one sentence each; silent when all is well. */
export type Rule = (sources: Source[]) => string[]

const ROOT = `${import.meta.dir}/../..`
const CODE = /\.(ts|tsx)$/

/** Every file of `src` and `test`, with the few beside them that people read. */
export async function repositorySources(): Promise<Source[]> {
  const glob = new Glob(
    '{src,test,drizzle,docs,.ci}/**/*.{ts,tsx,css,js,md,json,toml,sh,yml,yaml,sql,svg}',
  )
  const paths = [...glob.scanSync({ cwd: ROOT, dot: true })]
  for (const path of new Glob('{*,.*,.ci/*}').scanSync({ cwd: ROOT, dot: true })) {
    if (
      /^(Dockerfile|LICENSE|\.env\.example|\.dockerignore|\.ci\/run|[^/]+\.(md|json|toml))$/.test(
        path,
      )
    )
      paths.push(path)
  }
  const unique = [...new Set(paths)].sort()
  return Promise.all(
    unique.map(async (path) => ({ path, text: await Bun.file(`${ROOT}/${path}`).text() })),
  )
}

export function isCode({ path }: Source): boolean {
  return CODE.test(path)
}

export function isProduct({ path }: Source): boolean {
  return path.startsWith('src/') && CODE.test(path) && !path.endsWith('.d.ts')
}

/** The modules a file names: `import`, `export … from`, `import()`; types as well. */
export function importsOf({ text }: Source): string[] {
  const code = withoutComments(text)
  const found = [
    ...code.matchAll(/^\s*(?:import|export)\b[^'";=]*?\bfrom\s+'([^']+)'/gm),
    ...code.matchAll(/^\s*import\s+'([^']+)'/gm),
    ...code.matchAll(/\bimport\(\s*'([^']+)'/g),
  ]
  return found.map((match) => match[1] as string)
}

/** `../db/bell.ts` seen from `src/ask/questions/waiting.ts` → `src/platform/db/bell.ts`; a package → undefined. */
export function resolved(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Lines of `text` that match, as `path:line`. */
export function linesThatMatch({ path }: Source, text: string, pattern: RegExp): string[] {
  return text
    .split('\n')
    .map((line, i) => (pattern.test(line) ? `${path}:${i + 1} ${line.trim()}` : ''))
    .filter(Boolean)
}
