import { type Row, readRow } from '../row.ts'
import { GIT_ROWS } from './git.ts'
import { PACKAGE_ROWS } from './packages.ts'
import { SYSTEM_ROWS } from './systems.ts'
import { TEXT_ROWS } from './text.ts'
import { TOOL_ROWS } from './tools.ts'

const LINES = new Map<string, string>()
for (const text of [TEXT_ROWS, GIT_ROWS, PACKAGE_ROWS, TOOL_ROWS, SYSTEM_ROWS]) {
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [names = ''] = line.split('|', 1)
    for (const name of names.split(',')) LINES.set(name.trim(), line)
  }
}
const ROWS = new Map<string, Row>()

/** The row of `git`, or of `git status`; undefined: it is not understood. */
export function rowOf(key: string): Row | undefined {
  const cached = ROWS.get(key)
  if (cached) return cached
  const line = LINES.get(key)
  if (line === undefined) return undefined
  const row = readRow(line)
  ROWS.set(key, row)
  return row
}

/** The programs and subcommands that have a row. */
export function rowNames(): string[] {
  return [...LINES.keys()]
}

const ALIASES = new Map(
  Object.entries({
    npm: aliases(
      'i:install in:install ins:install add:install t:test tst:test run-script:run rum:run urn:run ls:ls list:ls ll:ls la:ls up:update upgrade:update r:uninstall rm:uninstall un:uninstall remove:uninstall unlink:uninstall view:view v:view info:view show:view s:search se:search find:search ci:ci clean-install:ci c:config why:explain dist-tags:dist-tag x:exec',
    ),
    pnpm: aliases(
      'i:install add:add t:test rm:remove un:remove uninstall:remove ls:list up:update upgrade:update',
    ),
    yarn: aliases('upgrade:up'),
    cargo: aliases('b:build c:check t:test r:run d:doc rm:remove'),
    kubectl: aliases('po:pods'),
    bun: aliases('i:install a:add rm:remove'),
  }),
)

function aliases(text: string): Record<string, string> {
  return Object.fromEntries(text.split(' ').map((pair) => pair.split(':') as [string, string]))
}

/** The one name of a subcommand that has several. */
export function aliasOf(program: string, subcommand: string): string {
  const subcommands = ALIASES.get(program)
  return subcommands && Object.hasOwn(subcommands, subcommand)
    ? (subcommands[subcommand] ?? subcommand)
    : subcommand
}
