import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { record } from './packages.ts'
import { lineOf, type Use, type UseReader } from './use.ts'

// Where clients keep MCP servers in a repository, and under which member.
const CLIENT_FILES =
  /(^|\/)(\.mcp\.json|mcp\.json|opencode\.jsonc?|\.(gemini|qwen|zed|factory|claude)\/[\w.-]+\.json|\.codex\/config\.toml)$/
const MEMBERS = ['mcpServers', 'mcp_servers', 'servers', 'context_servers', 'mcp']
// Programs that run a package of a registry by its name.
const RUNNERS: Record<string, 'npm' | 'pypi'> = {
  ...{ npx: 'npm', bunx: 'npm', pnpx: 'npm' },
  ...{ uvx: 'pypi', pipx: 'pypi' },
}

/** MCP servers in the settings of clients: packages that are run, and addresses. */
const CLIENT_SETTINGS: UseReader = {
  reads: (path) => CLIENT_FILES.test(path),
  read(file, text) {
    const settings = record(file.endsWith('.toml') ? parseToml(text) : parseJsonc(text))
    return MEMBERS.flatMap((member) => Object.entries(record(settings[member]))).flatMap(
      ([name, server]) => serverUses(file, text, name, server),
    )
  },
}

function serverUses(file: string, text: string, server: string, value: unknown): Use[] {
  const { command, args, url, serverUrl, httpUrl } = record(value)
  const line = lineOf(text, server)
  const address = [url, serverUrl, httpUrl].find((one) => typeof one === 'string')
  if (typeof address === 'string') return [{ file, line, kind: 'address', url: address, server }]
  // Some clients write the command and its arguments as one list.
  const words = [command, args].flat().filter((word) => typeof word === 'string')
  const [program = '', ...rest] = words
  const registry = RUNNERS[program.split(/[\\/]/).at(-1) ?? '']
  const own = rest.find((word) => !word.startsWith('-') && word !== 'run' && word !== 'exec')
  if (!registry || !own) return []
  // `@scope/name@1.2.0`, `name==1.2.0`; a word such as latest is no version.
  const [, name = own, version = ''] = /^(@?[^@=]+)(?:@|==)?(.*)$/.exec(own) ?? []
  const pin = /^\d/.test(version) ? { version } : {}
  return [{ file, line, kind: 'package', registry, name, ...pin }]
}

/** Names of variables that an example of settings lists; values are not read. */
const ENVIRONMENT: UseReader = {
  reads: (path) => /(^|\/)\.env\.(example|sample|template)$/.test(path),
  read(file, text) {
    return text.split(/\r?\n/).flatMap((row, i): Use[] => {
      const name = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]{2,})\s*=/.exec(row)?.[1]
      return name ? [{ file, line: i + 1, kind: 'variable', name }] : []
    })
  },
}

const CODE =
  /\.(ts|tsx|js|jsx|mjs|cjs|py|go|rs|rb|php|java|kt|cs|swift|json|ya?ml|toml|env\.example)$/
// A generated file, or one of a package manager, names models that nobody here calls.
const NOT_CODE = /(^|\/)(package-lock\.json|[\w-]*lock\.(json|ya?ml|toml)|[^/]*\.min\.js)$/
// With a digit and a sign, as ids of models have; prose in quotes has neither.
const QUOTED =
  /(["'`])([A-Za-z][A-Za-z0-9._:/@-]{3,99})\1|:\s+([A-Za-z][A-Za-z0-9._:/@-]{3,99})\s*$/gm

/** Words in quotes that may be ids of models; only those that the catalog has count. */
const CODE_MODELS: UseReader = {
  reads: (path) => CODE.test(path) && !NOT_CODE.test(path),
  read(file, text) {
    const uses: Use[] = []
    let line = 1
    let from = 0
    for (const match of text.matchAll(QUOTED)) {
      const id = match[2] ?? match[3] ?? ''
      if (!/\d/.test(id) || !/[-._:/]/.test(id)) continue
      for (; from < match.index; from++) if (text[from] === '\n') line++
      uses.push({ file, line, kind: 'model', id })
    }
    return uses
  },
}

export const SETTING_READERS: readonly UseReader[] = [CLIENT_SETTINGS, ENVIRONMENT, CODE_MODELS]
