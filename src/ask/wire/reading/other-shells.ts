// Their shells split words by other rules than bash and zsh.
const OTHER_SHELLS = /^(powershell|pwsh|cmd|fish|nu)\b/i

/** Returns true if a tool gives its text to another shell than bash or zsh. */
export function isOtherShell(toolName = ''): boolean {
  return OTHER_SHELLS.test(toolName)
}
