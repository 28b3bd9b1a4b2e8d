/**
 * Whether a script of sed has a command that writes a file or runs a program (`w`, `W`, `e`, and
 * both as flags of `s`). What it can not read counts as one that does.
 */
export function scriptWrites(script: string): boolean {
  let at = 0
  while (at < script.length) {
    const char = script[at] as string
    if (/[\s;{}\d,$!+~]/.test(char)) at++
    else if (char === '/' || char === '\\') at = behind(script, char === '/' ? at : at + 1, 1)
    else if (char === 's' || char === 'y') {
      at = behind(script, at + 1, 2)
      const flags = /[a-zA-Z\d]*/y
      flags.lastIndex = at
      const given = flags.exec(script)?.[0] ?? ''
      if (/[we]/.test(given)) return true
      at += given.length
    } else if (/[wWe]/.test(char)) return true
    else at = /[aicrR:btT#}]/.test(char) ? endOfLine(script, at) : at + 1
  }
  return false
}

/** Where it goes on behind `/…/`, or `/…/…/` with two parts; the first character delimits. */
function behind(script: string, start: number, parts: number): number {
  const delimiter = script[start]
  let left = parts
  for (let at = start + 1; at < script.length; at++) {
    if (script[at] === '\\') at++
    else if (script[at] === delimiter && --left === 0) return at + 1
  }
  return script.length
}

function endOfLine(script: string, at: number): number {
  const end = script.indexOf(/[btT:]/.test(script[at] ?? '') ? ';' : '\n', at)
  const line = script.indexOf('\n', at)
  const ends = [end, line].filter((one) => one >= 0)
  return ends.length > 0 ? Math.min(...ends) + 1 : script.length
}
