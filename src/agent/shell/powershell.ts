import type { Touch } from '../../ask/wire/matcher/judge.ts'
import type { Arg, Notes, Places } from './notes.ts'

type Cmdlet = { touch: Touch; moves?: true; both?: true }

const write: Cmdlet = { touch: 'write' }
const remove: Cmdlet = { touch: 'tree' }
const copy: Cmdlet = { touch: 'write', both: true }
const move: Cmdlet = { touch: 'tree', both: true, moves: true }
const CMDLETS: Readonly<Record<string, Cmdlet>> = {
  'set-content': write,
  'add-content': write,
  'clear-content': write,
  'out-file': write,
  'tee-object': write,
  'new-item': write,
  ni: write,
  'export-csv': write,
  'export-clixml': write,
  'remove-item': remove,
  ri: remove,
  del: remove,
  erase: remove,
  rd: remove,
  'move-item': move,
  mi: move,
  move,
  'rename-item': move,
  rni: move,
  ren: move,
  'copy-item': copy,
  cpi: copy,
  copy,
  xcopy: copy,
  robocopy: copy,
}
const PATHS = /^-(path|literalpath|filepath|outfile|destination|newname|target|pspath)(:|$)/i
const SWITCHES =
  /^-(force|recurse|nonewline|append|whatif|confirm|passthru|noclobber|verbose|asbytestream|notypeinformation|r|fo)(:|$)/i
const RUNS = /^(invoke-expression|iex|invoke-command|icm|start-process|saps)$/
const FETCHES = /^(invoke-webrequest|iwr|invoke-restmethod|irm)$/

/** Cmdlets of PowerShell and commands of cmd.exe; false for any other command. */
export function powershell(
  name: string,
  args: readonly Arg[],
  places: Places,
  notes: Notes,
): boolean {
  const known = name.toLowerCase()
  if (RUNS.test(known)) notes.opaque(`${name} runs what is not known`)
  const cmdlet = FETCHES.test(known) ? write : CMDLETS[known]
  if (cmdlet === undefined || !Object.hasOwn(CMDLETS, known)) {
    if (FETCHES.test(known))
      for (const path of pathsOf(args).named) notes.target(path, 'write', places)
    return RUNS.test(known) || FETCHES.test(known)
  }
  const { named, bare } = pathsOf(args)
  const paths = [...named, ...bare]
  const targets = cmdlet.both ? paths : named.length > 0 ? named : bare.slice(0, touched(cmdlet))
  const last = targets.length - 1
  const takesAll =
    known === 'robocopy' || args.some(({ text }) => /^(-r(ecurse)?(:|$)|\/[se]$)/i.test(text))
  for (const [at, path] of targets.entries()) {
    if (cmdlet.both && !cmdlet.moves && at < last) {
      if (takesAll) notes.takeCopy(path, places)
      continue
    }
    const goes = cmdlet.touch === 'tree' && !(cmdlet.moves && at === last)
    if (cmdlet.touch === 'tree' && !cmdlet.moves && path.why === undefined)
      notes.lose({ how: 'both', places, paths: notes.joined(path, places) })
    if (goes) notes.takeAway(path, places)
    else notes.target(path, cmdlet.touch, places)
  }
  return true
}

function touched({ touch }: Cmdlet): number {
  return touch === 'tree' ? Number.POSITIVE_INFINITY : 1
}

/** `-Path a`, `-Path:a`, and words without a name; values of other parameters are not paths. */
function pathsOf(args: readonly Arg[]): { named: Arg[]; bare: Arg[] } {
  const named: Arg[] = []
  const bare: Arg[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg
    if (/^\/[a-z](:.*)?$/i.test(arg.text) || SWITCHES.test(arg.text)) continue
    if (!/^-[a-z]/i.test(arg.text)) {
      bare.push(arg)
      continue
    }
    const joined = /^-[a-z]+:(.+)$/i.exec(arg.text)?.[1]
    const value = joined === undefined ? args[++at] : { ...arg, text: joined, raw: joined }
    if (PATHS.test(arg.text) && value !== undefined) named.push(value)
  }
  return { named, bare }
}
