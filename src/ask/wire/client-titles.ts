/** The name of each client for people, by its name in the address of its hook. */
export const CLIENT_TITLES = {
  agy: 'Antigravity CLI',
  claude: 'Claude Code',
  cline: 'Cline',
  codex: 'Codex',
  copilot: 'Copilot CLI',
  cursor: 'Cursor',
  droid: 'Factory Droid',
  gemini: 'Gemini CLI',
  goose: 'Goose',
  opencode: 'OpenCode',
  qwen: 'Qwen Code',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  zed: 'Zed',
} as const

/** The title of a client; its name if it is not known. */
export function clientTitle(client: string): string {
  return new Map<string, string>(Object.entries(CLIENT_TITLES)).get(client) ?? client
}

/**
 * The agent's name that a hook reports, with the title of its client before it: whatever else it
 * says, people read who says it.
 */
export function hookAgentName(client: string, name: string): string {
  const title = clientTitle(client)
  const isNamed = name === title || name.startsWith(`${title} - `)
  return isNamed ? name : `${title} - ${name}`
}
