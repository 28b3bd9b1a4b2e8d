import { importsOf, isCode, isProduct, type Rule, resolved, type Source } from './sources.ts'

const NOUNS = [
  'accounts',
  'subscribers',
  'policy',
  'sessions',
  'notifications',
  'questions',
  'scopes',
  'callbacks',
  'delivery',
  'audit',
]
const FACES = ['mcp', 'http', 'pages', 'cli']

const FLOORS = new Map<string, number>([
  ['kernel', 0],
  // What pages look like, for both products: tokens, buttons, the mark, files with addresses.
  ['look', 0],
  ['config', 1],
  // What is spoken at every MCP address, whatever its tools are.
  ['protocol', 2],
  ['db', 2],
  ...NOUNS.map((noun) => [noun, 3] as const),
  ['flows', 4],
  ...FACES.map((face) => [face, 5] as const),
  ['verbs.ts', 6],
  ['faces.ts', 6],
  ['app.ts', 6],
  ['preview.ts', 6],
  ['main.ts', 7],
])

// It lists every table for drizzle-kit, and is imported by nothing that runs.
const TABLE_LIST = 'src/db/tables.ts'
// The catalog is a product of its own, on the same ground floor.
const CATALOG_STANDS_ON = ['kernel', 'look', 'config', 'protocol', 'db', 'catalog']
const MAY_KNOW_THE_CATALOG = [
  'catalog',
  'cli',
  'verbs.ts',
  'faces.ts',
  'app.ts',
  'preview.ts',
  'main.ts',
]

/** `src/questions/store.ts` → `questions`; `src/app.ts` → `app.ts`. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** The edges between files of `src`: who names whom. */
function edges(sources: Source[]): Array<{ from: string; to: string }> {
  return sources.filter(isProduct).flatMap((source) =>
    importsOf(source).flatMap((specifier) => {
      const to = resolved(source.path, specifier)
      return to?.startsWith('src/') ? [{ from: source.path, to }] : []
    }),
  )
}

/** kernel ← config ← db ← nouns ← flows ← faces ← app ← main. */
export const importsPointDown: Rule = (sources) =>
  edges(sources).flatMap(({ from, to }) => {
    if (from === TABLE_LIST) return []
    const [own, other] = [roomOf(from), roomOf(to)]
    if (own === 'catalog' || other === 'catalog') return []
    const [floor, below] = [FLOORS.get(own), FLOORS.get(other)]
    if (floor === undefined) return [`${from} is in no known room`]
    if (below === undefined) return [`${from} imports ${to}, which is in no known room`]
    return below > floor ? [`${from} imports ${to}, which is above it`] : []
  })

export const catalogStandsAlone: Rule = (sources) =>
  edges(sources).flatMap(({ from, to }) => {
    if (from === TABLE_LIST) return []
    const [own, other] = [roomOf(from), roomOf(to)]
    if (own === 'catalog' && !CATALOG_STANDS_ON.includes(other)) return [`${from} imports ${to}`]
    if (other === 'catalog' && !MAY_KNOW_THE_CATALOG.includes(own)) return [`${from} imports ${to}`]
    return []
  })

// Who may be known by whom inside the catalog: a room imports from its own floor down.
const CATALOG_FLOORS = new Map<string, number>([
  ['record', 0],
  ['source', 1],
  ['grading', 2],
  ['store', 3],
  ['measured', 4],
  ['signing', 5],
  // What measures, and what reads other catalogs, shows nothing.
  ['probes', 5],
  ['importers', 5],
  ['feeds', 6],
  ['markdown', 7],
  ['calendar', 8],
  ['discovery', 9],
  ['registry', 9],
  ['agents', 9],
  ['mirror', 9],
  ['static', 9],
  ['pages', 10],
  ['openapi', 11],
])
// Rooms on one floor that know nothing of each other.
const APART = ['signing', 'probes', 'importers', 'registry', 'agents', 'mirror', 'static']

/** record ← source ← grading ← store ← measured ← signing ← feeds ← … ← pages ← routes. */
export const catalogPointsDown: Rule = (sources) =>
  edges(sources).flatMap(({ from, to }) => {
    if (roomOf(from) !== 'catalog' || roomOf(to) !== 'catalog') return []
    const [own, other] = [catalogRoomOf(from), catalogRoomOf(to)]
    if (own === other || own === 'top') return []
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

/** Tables belong to their noun: others ask its store. */
export const tablesStayAtHome: Rule = (sources) =>
  edges(sources).flatMap(({ from, to }) => {
    const isTable = /\/(table|[a-z-]+-table|auth-tables)\.ts$/.test(to)
    if (!isTable || from === TABLE_LIST || roomOf(from) === roomOf(to)) return []
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
    if (/^src\/db\//.test(source.path) || /(^|[/-])(tables?|store)\.ts$/.test(source.path))
      return []
    return importsOf(source)
      .filter((specifier) => specifier.startsWith('drizzle-orm'))
      .map((specifier) => `${source.path} imports ${specifier}`)
  })

const TABLE_WORDS = ['index', 'primaryKey', 'sqliteTable', 'uniqueIndex']

/** A table takes its columns from db/columns.ts, so that it is the same table on PostgreSQL. */
export const columnsComeFromOnePlace: Rule = (sources) =>
  sources.filter(isProduct).flatMap((source) => {
    if (source.path === 'src/db/columns.ts') return []
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
