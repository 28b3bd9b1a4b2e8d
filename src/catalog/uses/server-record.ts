import { matchUses, type UsableTool } from './match-uses.ts'
import type { Use } from './use.ts'

// Programs that run a package of a registry by its name, and what may stand before that name. After any
// other option it is not certain which word the name is.
const RUNNERS: Record<string, { registry: 'npm' | 'pypi'; before: ReadonlySet<string> }> = {
  npx: { registry: 'npm', before: new Set(['-y', '--yes', '-q', '--quiet']) },
  bunx: { registry: 'npm', before: new Set(['--bun', '--silent']) },
  pnpx: { registry: 'npm', before: new Set() },
  uvx: { registry: 'pypi', before: new Set(['-q', '--quiet']) },
  pipx: { registry: 'pypi', before: new Set(['run']) },
}
const NPM_NAME = /^((?:@[\w.-]+\/)?[\w.-]+)(?:@[\w.^~*<>=-]*)?$/
const PYPI_NAME = /^([\w.-]+)(?:\[[\w,.-]*\])?(?:(?:==|@)[\w.*]+)?$/

/**
 * The record of an MCP server, by the package that its command line runs or by its address; never by the
 * name that somebody gave it. Undefined if no record has it, or several.
 */
export function recordOfServer(
  tools: readonly UsableTool[],
  server: string,
): UsableTool | undefined {
  const use = useOf(server)
  return use && matchUses(tools, [use]).matches[0]?.tool
}

function useOf(server: string): Use | undefined {
  const place = { file: '', line: 1 }
  if (/^https?:\/\//i.test(server)) return { ...place, kind: 'address', url: server, server: '' }
  const [program = '', ...rest] = server.split(' ')
  const runner = RUNNERS[program.split('/').at(-1) ?? '']
  const word = rest.find((one) => !runner?.before.has(one))
  if (!runner || word === undefined) return undefined
  const { registry } = runner
  const name = (registry === 'npm' ? NPM_NAME : PYPI_NAME).exec(word)?.[1]
  return name === undefined || name.startsWith('-')
    ? undefined
    : { ...place, kind: 'package', registry, name }
}
