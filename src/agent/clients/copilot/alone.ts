import { readFileSync } from 'node:fs'

// The hook's shell, the client, and what started it: npm's launcher hands the words on.
const LOOK_UP = 3
const PS_MS = 500

/** A process: its words, and the one above it. */
export type Above = { words: string[]; parent: number }

/**
 * Whether Copilot CLI was started with a prompt (`-p`), so that nobody sits in front of it. Neither
 * the input nor the environment of a hook says so. False where it cannot be seen: then somebody
 * hears of a prompt too much. Never throws.
 */
export function isAlone(above: (pid: number) => Above | undefined = lookUp): boolean {
  let pid = process.ppid
  for (let up = 0; up < LOOK_UP; up++) {
    const found = above(pid)
    if (!found) return false
    if (isCopilot(found.words)) return found.words.some(isPrompt)
    pid = found.parent
  }
  return false
}

/** Its own program, or the launcher that node runs. */
function isCopilot(words: string[]): boolean {
  return words.slice(0, 2).some((word) => /(^|[\\/])copilot(\.js|\.exe)?$/.test(word))
}

function isPrompt(word: string): boolean {
  return word === '-p' || word === '--prompt' || word.startsWith('--prompt=')
}

function lookUp(pid: number): Above | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
  } catch {
    return undefined
  }
}

function fromProc(pid: number): Above {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name before it may hold spaces and brackets.
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { words, parent: Number(parent) }
}

/** Where there is no `/proc`; Windows has neither. */
function fromPs(pid: number): Above | undefined {
  const ps = ['/bin/ps', '-ww', '-o', 'ppid=,args=', '-p', String(pid)]
  const said = Bun.spawnSync(ps, { timeout: PS_MS }).stdout.toString()
  const [parent, ...words] = said.trim().split(/\s+/)
  return words.length > 0 ? { words, parent: Number(parent) } : undefined
}
