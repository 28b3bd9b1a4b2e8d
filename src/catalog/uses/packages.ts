import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { lineOf, type Use, type UseReader } from './use.ts'

type Registry = 'npm' | 'pypi' | 'go'
type Entry = readonly [name: string, version: string | undefined]

/** Dependencies as package managers write them. Versions come from lock files and pins alone. */
export const PACKAGE_READERS: readonly UseReader[] = [
  reader('package.json', 'npm', (text) => {
    const json = record(parseJsonc(text))
    const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
    return groups.flatMap((group) => keys(json[group]).map((name): Entry => [name, undefined]))
  }),
  reader('package-lock.json', 'npm', (text) =>
    Object.entries(record(record(JSON.parse(text)).packages)).flatMap(([path, one]): Entry[] => {
      const name = path.split('node_modules/').at(-1) ?? ''
      return path.includes('node_modules/') ? [[name, textIn(one, 'version')]] : []
    }),
  ),
  reader('bun.lock', 'npm', (text) =>
    Object.values(record(record(parseJsonc(text)).packages)).flatMap((one): Entry[] =>
      Array.isArray(one) && typeof one[0] === 'string' ? [atVersion(one[0])] : [],
    ),
  ),
  reader('pnpm-lock.yaml', 'npm', (text) =>
    keys(record(parseYaml(text)).packages).map((key) =>
      atVersion(key.replace(/^\//, '').replace(/\(.*$/, '')),
    ),
  ),
  reader('yarn.lock', 'npm', (text) =>
    [...text.matchAll(/^"?(@?[^@\s"]+)@[^\n]*:\n {2}version:? "?([^"\s]+)/gm)].map(
      ([, name = '', version]): Entry => [name, version],
    ),
  ),
  reader('pyproject.toml', 'pypi', (text) => {
    const toml = record(parseToml(text))
    const project = record(toml.project)
    const poetry = record(record(toml.tool).poetry)
    const lists = [project.dependencies, ...Object.values(record(project['optional-dependencies']))]
    lists.push(...Object.values(record(toml['dependency-groups'])))
    const written = lists.flatMap((list) => (Array.isArray(list) ? list : [])).flatMap(requirement)
    const poetryNames = keys(poetry.dependencies).filter((name) => name !== 'python')
    return [...written, ...poetryNames.map((name): Entry => [name, undefined])]
  }),
  reader(/(^|\/)requirements[^/]*\.txt$/, 'pypi', (text) =>
    text.split(/\r?\n/).flatMap(requirement),
  ),
  ...['poetry.lock', 'uv.lock', 'pdm.lock'].map((name) =>
    reader(name, 'pypi', (text) => {
      const list = record(parseToml(text)).package
      return (Array.isArray(list) ? list : []).flatMap((one): Entry[] => {
        const own = textIn(one, 'name')
        return own === undefined ? [] : [[own, textIn(one, 'version')]]
      })
    }),
  ),
  reader('go.mod', 'go', (text) =>
    [...text.matchAll(/^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+)\s+v(\d\S*)/gm)].map(
      ([, name = '', version]): Entry => [name, version],
    ),
  ),
]

function reader(
  name: string | RegExp,
  registry: Registry,
  entries: (text: string) => Entry[],
): UseReader {
  return {
    reads: (path) => (typeof name === 'string' ? path.split('/').at(-1) === name : name.test(path)),
    read(file, text) {
      return entries(text).map(([own, version]): Use => {
        const line = lineOf(text, own)
        return { file, line, kind: 'package', registry, name: own, ...(version ? { version } : {}) }
      })
    },
  }
}

/** A line of PEP 508: its name, and its version if it is pinned. */
function requirement(text: unknown): Entry[] {
  const match =
    /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:(===?)\s*([^\s;,#]+)\s*(?:[;#].*)?$|[<>=!~;@#\s(]|$)/.exec(
      typeof text === 'string' ? text : '',
    )
  return match?.[1] ? [[match[1], match[3]]] : []
}

function atVersion(text: string): Entry {
  const at = text.lastIndexOf('@')
  return at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined]
}

/** Its members; none for what is no object. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function keys(value: unknown): string[] {
  return Object.keys(record(value))
}

function textIn(value: unknown, name: string): string | undefined {
  const member = record(value)[name]
  return typeof member === 'string' ? member : undefined
}
