import { readFileSync, statSync } from 'node:fs'

/** A running process, as the system lists it. */
export type RunningProcess = {
  pid: number
  parent: number
  /** Its arguments, the program first. */
  words: string[]
  /** When it started, in the system's own words: a later process with the same id has another. */
  startedAt: string
  /** The device of its terminal; undefined if it has none. */
  terminal: string | undefined
}

export type FindProcess = (pid: number) => RunningProcess | undefined

const PS_MS = 500
const PS = ['/bin/ps', '-ww', '-o', 'ppid=,tty=,lstart=,args=', '-p']
// `Thu Nov 26 10:00:00 2026`
const LSTART_WORDS = 5

/**
 * Returns the process with this id; undefined if no process has it, and on systems that do not list
 * processes (Windows). Never throws.
 */
export function findProcess(pid: number): RunningProcess | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
  } catch {
    return undefined
  }
}

/** The parents of a process, the nearest first. */
export function* ancestorsOf(
  pid: number,
  find: FindProcess = findProcess,
): Generator<RunningProcess> {
  let next = pid
  for (let up = 0; up < ANCESTORS_MAX && next > 0; up++) {
    const ancestor = find(next)
    if (!ancestor) return
    yield ancestor
    next = ancestor.parent
  }
}

const ANCESTORS_MAX = 32

// Positions in /proc/PID/stat, from the field after the name (`man 5 proc`).
const [PARENT, TERMINAL, STARTED] = [1, 4, 19]

function fromProc(pid: number): RunningProcess {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name before them may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    parent: Number(fields[PARENT]),
    words,
    startedAt: fields[STARTED] ?? '',
    terminal: deviceOf(Number(fields[TERMINAL])),
  }
}

const PSEUDO_TERMINALS = 136
const PSEUDO_TERMINALS_END = 143
const CONSOLES = 4
const CONSOLES_END = 64

/** The path of a terminal's device number; undefined if the path does not lead to that device. */
function deviceOf(number: number): string | undefined {
  const major = (number >> 8) & 0xfff
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00)
  const path = pathOf(major, minor)
  // In another container the same path may be another terminal.
  return path !== undefined && statSync(path).rdev === number ? path : undefined
}

function pathOf(major: number, minor: number): string | undefined {
  if (major >= PSEUDO_TERMINALS && major <= PSEUDO_TERMINALS_END)
    return `/dev/pts/${(major - PSEUDO_TERMINALS) * 256 + minor}`
  return major === CONSOLES && minor < CONSOLES_END ? `/dev/tty${minor}` : undefined
}

/** Where there is no `/proc`; Windows has neither. */
function fromPs(pid: number): RunningProcess | undefined {
  const output = Bun.spawnSync([...PS, String(pid)], { timeout: PS_MS }).stdout.toString()
  const [parent, terminal = '', ...rest] = output.trim().split(/\s+/)
  if (rest.length <= LSTART_WORDS) return undefined
  return {
    pid,
    parent: Number(parent),
    words: rest.slice(LSTART_WORDS),
    startedAt: rest.slice(0, LSTART_WORDS).join(' '),
    // Two question marks stand for none.
    terminal: terminal.startsWith('?') ? undefined : `/dev/${terminal}`,
  }
}
