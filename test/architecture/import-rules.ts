import { importsOf, isCode, isProduct, type Rule, resolved, type Source } from './sources.ts'

// platform ← ask, catalog, agent ← cli ← app ← main. Ask and catalog know nothing of each other.
const MAY_IMPORT = new Map<string, readonly string[]>([
  ['platform', ['platform']],
  ['ask', ['platform', 'ask']],
  ['catalog', ['platform', 'catalog']],
  ['agent', ['platform', 'agent']],
  ['cli', ['platform', 'ask', 'catalog', 'agent', 'cli']],
])
// The files beside the rooms put them together; only they import one another, `main.ts` last.
const ROOT_FILES = ['verbs.ts', 'faces.ts', 'app.ts', 'preview.ts', 'main.ts']
// What the machine of an agent shares with the server.
const WIRE = 'src/ask/wire/'
const TABLE_LIST = 'drizzle/tables.ts'

/** `src/ask/questions/store.ts` → `ask`; `src/app.ts` → `app.ts`. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** The edges between files of `src`: who names whom. */
function edges(sources: Source[]): Array<{ from: string; to: string }> {
  return sources.filter(isProduct).flatMap((source) =>
    importsOf(source).flatMap((specifier) => {
      const to = resolved(source.path, specifier)
      const isOurs = to?.startsWith('src/') || to === TABLE_LIST
      return to && isOurs ? [{ from: source.path, to }] : []
    }),
  )
}

/** A slice imports only itself and the slices below it. */
export const slicesPointDown: Rule = (sources) =>
  edges(sources).flatMap(({ from, to }) => {
    const [own, other] = [roomOf(from), roomOf(to)]
    if (ROOT_FILES.includes(own)) return []
    const allowed = MAY_IMPORT.get(own)
    if (!allowed) return [`${from} is in no known room`]
    if (allowed.includes(other)) return []
    if (own === 'agent' && to.startsWith(WIRE)) return []
    return [`${from} imports ${to}`]
  })

// Who may be known by whom inside the catalog: a room imports from its own floor down.
const CATALOG_FLOORS = new Map<string, number>([
  ['records', 0],
  ['payments', 0],
  ['authoring', 1],
  ['grading', 2],
  ['publishing', 3],
  ['measured', 4],
  ['signing', 5],
  // What measures, and what reads other catalogs, shows nothing.
  ['probing', 5],
  ['facts', 5],
  ['importers', 5],
  ['feeds', 6],
  ['registry', 9],
  ['agents', 9],
  ['mirror', 9],
  ['export', 9],
  ['pages', 10],
  ['openapi', 11],
  ['commands', 12],
])
// Rooms on one floor that know nothing of each other.
const APART = ['signing', 'importers', 'registry', 'agents', 'mirror', 'export']

/** records ← authoring ← grading ← publishing ← measured ← signing ← feeds ← … ← pages ← routes. */
export const catalogPointsDown: Rule = (sources) =>
  edges(sources).flatMap(({ from, to }) => {
    if (roomOf(from) !== 'catalog' || roomOf(to) !== 'catalog') return []
    const [own, other] = [catalogRoomOf(from), catalogRoomOf(to)]
    if (own === other || own === 'top' || own === 'commands') return []
    if (other === 'top') return [`${from} imports ${to}, which is above it`]
    const [floor, below] = [CATALOG_FLOORS.get(own), CATALOG_FLOORS.get(other)]
    if (floor === undefined) return [`${from} is in no known room of the catalog`]
    if (below === undefined) return [`${from} imports ${to}, which is in no known room`]
    if (below > floor) return [`${from} imports ${to}, which is above it`]
    return below === floor && APART.includes(own) ? [`${from} imports ${to}, beside it`] : []
  })

/** What stands in no folder of the catalog puts its rooms together. */
function catalogRoomOf(path: string): string {
  const parts = path.split('/')
  return parts.length > 3 ? String(parts[2]) : 'top'
}

/** A feature of the question service; the catalog owns its tables as a whole. */
function tableOwner(path: string): string {
  return path.startsWith('src/catalog/') ? 'catalog' : path.slice(0, path.lastIndexOf('/'))
}

/** Tables belong to their noun: others ask its store. */
export const tablesStayAtHome: Rule = (sources) =>
  edges(sources).flatMap(({ from, to }) => {
    const isTable =
      /\/(table|[a-z-]+-table|auth-tables)\.ts$/.test(to) && !to.startsWith('src/agent/')
    if (!isTable || tableOwner(from) === tableOwner(to)) return []
    return [`${from} imports ${to}`]
  })

export const tableListIsNotImported: Rule = (sources) =>
  edges(sources).flatMap(({ from, to }) => (to === TABLE_LIST ? [`${from} imports ${to}`] : []))

/** No file reaches itself, through types neither. */
export const noCycles: Rule = (sources) => {
  const next = new Map<string, string[]>()
  for (const { from, to } of edges(sources)) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const found: string[] = []

  function visit(path: string, trail: string[]) {
    const at = trail.indexOf(path)
    if (at >= 0) {
      found.push([...trail.slice(at), path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const to of next.get(path) ?? []) visit(to, [...trail, path])
    done.add(path)
  }

  for (const path of next.keys()) visit(path, [])
  return found
}

/** Drizzle is spoken in tables, stores and the database alone. */
export const drizzleStaysInStores: Rule = (sources) =>
  sources.filter(isProduct).flatMap((source) => {
    if (
      /^src\/platform\/db\//.test(source.path) ||
      /(^|[/-])(tables?|store)\.ts$/.test(source.path)
    )
      return []
    return importsOf(source)
      .filter((specifier) => specifier.startsWith('drizzle-orm'))
      .map((specifier) => `${source.path} imports ${specifier}`)
  })

const TABLE_WORDS = ['index', 'primaryKey', 'sqliteTable', 'uniqueIndex']

/** A table takes its columns from db/columns.ts, so that it is the same table on PostgreSQL. */
export const columnsComeFromOnePlace: Rule = (sources) =>
  sources.filter(isProduct).flatMap((source) => {
    if (source.path === 'src/platform/db/columns.ts') return []
    const named = [
      ...source.text.matchAll(/import\s+\{([^}]*)\}\s+from 'drizzle-orm\/sqlite-core'/g),
    ]
    return named
      .flatMap((match) => (match[1] ?? '').split(','))
      .map((word) => word.trim())
      .filter((word) => word && !word.startsWith('type ') && !TABLE_WORDS.includes(word))
      .map((word) => `${source.path} takes ${word} from drizzle-orm/sqlite-core`)
  })

/** What runs is in `dependencies`: a server installed without the tools of development starts. */
export function onlyRuntimePackages(dependencies: string[]): Rule {
  return (sources) =>
    sources.filter(isProduct).flatMap((source) =>
      importsOf(source)
        .filter((name) => !/^(\.|node:|bun:|bun$)/.test(name))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => !dependencies.includes(name))
        .map((name) => `${source.path} imports ${name}, which is not in dependencies`),
    )
}

export const importsNameTheFile: Rule = (sources) =>
  sources.filter(isCode).flatMap((source) =>
    importsOf(source)
      .filter((name) => name.startsWith('.') && !/\.[a-z0-9]+$/.test(name))
      .map((name) => `${source.path} imports ${name} without its ending`),
  )
