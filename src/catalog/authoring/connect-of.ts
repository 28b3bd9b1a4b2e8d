import type { AuthoredTool } from '../records/authored.ts'
import type { Connect } from '../records/connect.ts'

const INSTALL: Record<string, (name: string) => string> = {
  npm: (name) => `npm install ${name}`,
  pypi: (name) => `pip install ${name}`,
  go: (name) => `go get ${name}`,
}
// Packages hold letters and a few signs alone, and addresses are quoted: a sample that is copied
// into a shell does what it says.
const PLAIN = /^[A-Za-z0-9@._/:~-]+$/

/** Samples to copy: what the file says, else what follows from packages and addresses. */
export function connectOf(tool: AuthoredTool): Connect {
  return { ...derived(tool), ...tool.connect }
}

function derived({ slug, kind, packages = [], remoteUrl }: AuthoredTool): Connect {
  const found: Connect = {}
  const [first] = packages
  const install = first && INSTALL[first.registry]
  if (first && install && PLAIN.test(first.name)) found.install = install(first.name)
  if (kind !== 'mcp' || !remoteUrl) return found
  found.claudeCode = `claude mcp add --transport http ${slug} ${quoted(remoteUrl)}`
  found.config = JSON.stringify(
    { mcpServers: { [slug]: { type: 'http', url: remoteUrl } } },
    null,
    2,
  )
  return found
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
