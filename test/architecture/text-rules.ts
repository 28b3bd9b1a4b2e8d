import { roomOf } from './import-rules.ts'
import { isCode, isProduct, linesThatMatch, type Rule } from './sources.ts'
import { withoutComments } from './without-comments.ts'

const LINES_MAX = 400
// These hold the patterns themselves.
const ABOUT_THE_RULES = /^test\/architecture/

const product = (pattern: RegExp, except: (path: string) => boolean): Rule => {
  return (sources) =>
    sources
      .filter((source) => isProduct(source) && !except(source.path))
      .flatMap((source) => linesThatMatch(source, withoutComments(source.text), pattern))
}

export const oneReaderOfTheEnvironment = product(
  /\b(process|Bun|import\.meta)\.env\b/,
  (path) => path === 'src/platform/config/env.ts',
)

/** All of them keep what others wrote from steering a terminal; a bridge talks to a program. */
const WRITERS =
  /^src\/(platform\/(log|cli\/terminal)|agent\/(commands\/hook|setup\/ask|bridge\/output)|catalog\/commands\/progress)\.ts$/

export const fewWriteToTheTerminal = product(
  /\bconsole\.|\bprocess\.(stdout|stderr)\b|\bBun\.(stdout|stderr)\b|\bwriteSync\([12],/,
  (path) => WRITERS.test(path) || path.startsWith('src/ask/pages/client/'),
)

const NEEDS_A_CLOCK = /^src\/ask\/(?!http|pages|rest|mcp|home)/

export const timeIsAnArgument = product(
  /\bDate\.now\(|\bnew Date\(\)/,
  (path) => !NEEDS_A_CLOCK.test(path),
)

/** Drizzle's synchronous endings do not exist on PostgreSQL. */
export const storesAwait = product(
  /\.(get|all|run)\(\)|\b(tx|read|db)\.query\b|\.transaction\(/,
  (path) => !/(^|[/-])store\.ts$/.test(path),
)

/** A JSON column is never looked into by a query. */
export const storesLeaveJsonClosed = product(
  /json_extract|json_each|->>|jsonb?_/,
  (path) => !/(^|[/-])store\.ts$/.test(path),
)

/** Bun reads the settings of the folder it is started in, so each file says it for itself. */
export const jsxSaysWhose: Rule = (sources) =>
  sources
    .filter(({ path, text }) => path.endsWith('.tsx') && !text.startsWith(JSX_IS_PREACT))
    .map(({ path }) => `${path}: must begin with ${JSX_IS_PREACT}`)
const JSX_IS_PREACT = '/** @jsxImportSource preact */'

export const noDefaultExports: Rule = (sources) =>
  sources
    .filter((source) => isCode(source) && !/\.(config|d)\.ts$/.test(source.path))
    .filter((source) => !ABOUT_THE_RULES.test(source.path))
    .flatMap((source) =>
      linesThatMatch(source, withoutComments(source.text), /^\s*export default\b|\bas default\b/),
    )

export const noBarrels: Rule = (sources) =>
  sources
    .filter((source) => isProduct(source) && source.path !== 'drizzle/tables.ts')
    .filter(({ path, text }) => {
      if (/(^|\/)index\.tsx?$/.test(path)) return true
      const statements = withoutComments(text).trim()
      return (
        statements !== '' &&
        /^(\s*export\s+(type\s+)?(\*|\{[^}]*\})[^'\n]*from '[^']+'\s*)+$/.test(statements)
      )
    })
    .map(({ path }) => path)

export const filesAreNamedDirectly: Rule = (sources) =>
  sources
    .filter(isCode)
    .filter(({ path }) => {
      const file = path.split('/').at(-1) ?? ''
      const stem = file.replace(/(\.test|\.config|\.d)?\.tsx?$/, '')
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) return true
      // The documents that the tests are about may be called after a service.
      if (path.startsWith('test/spec/')) return false
      return (
        /(^|-)(utils?|helpers?|service|manager|misc|common)($|-)/.test(stem) &&
        stem !== 'service-worker'
      )
    })
    .map(({ path }) => path)

export const filesAreShort: Rule = (sources) =>
  sources.filter(isCode).flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    return lines > LINES_MAX ? [`${path} has ${lines} lines; ${LINES_MAX} is the wall`] : []
  })

export const noPathOfAMachine: Rule = (sources) =>
  sources
    .filter(({ path }) => !ABOUT_THE_RULES.test(path) && !path.startsWith('test/fixtures/'))
    .flatMap((source) =>
      linesThatMatch(
        source,
        source.text,
        /(^|[\s'"`(=:])(\/work\/|\/root\/|\/Users\/|[A-Z]:\\\\?Users)/,
      ),
    )

export const nothingIsPutOff: Rule = (sources) =>
  sources
    .filter(({ path }) => !ABOUT_THE_RULES.test(path))
    .flatMap((source) => linesThatMatch(source, source.text, /\b(TODO|FIXME)\b/))

const SQL_TEMPLATE = /\bsql`|\bsql</

/** An `sql` template loses its type on the way; `.mapWith` gives it back on both databases. */
export const sqlTemplatesAreMapped: Rule = (sources) =>
  sources
    .filter((source) => isProduct(source) && /(^|[/-])store\.ts$/.test(source.path))
    .filter(({ path }) => roomOf(path) !== 'db')
    .flatMap((source) =>
      linesThatMatch(source, withoutComments(source.text), SQL_TEMPLATE).filter(
        (line) => /select\(|:\s*sql/.test(line) && !line.includes('.mapWith'),
      ),
    )
