// Their shells split words by other rules than bash and zsh.
const OTHER_SHELLS = /^(powershell|pwsh|cmd|fish|nu)\b/i

/** Returns true if a tool gives its text to another shell than bash or zsh. */
export function isOtherShell(toolName = ''): boolean {
  return OTHER_SHELLS.test(toolName)
}

const SHELLS = /bash|shell|terminal|command|exec|^(sh|zsh|pwsh|cmd|monitor)$/i

/** Returns true if a tool is called like one that takes commands. */
export function isNamedLikeShell(toolName: string): boolean {
  return SHELLS.test(toolName)
}

/** A tool; with `reading`, a hook knows that its text is a command. */
type ToolOfText = { toolName?: string | undefined; byHook?: true | undefined; reading?: unknown }

/** Returns true if texts are read as commands of bash; undefined if nothing says what they are. */
export function isForShell({ toolName, byHook, reading }: ToolOfText): boolean | undefined {
  if (isOtherShell(toolName)) return false
  if (byHook && reading) return true
  return toolName === undefined ? undefined : isNamedLikeShell(toolName)
}
