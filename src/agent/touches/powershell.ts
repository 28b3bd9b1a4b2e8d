import type { Touch } from '../../ask/wire/matcher/judge.ts'
import type { Command } from '../../ask/wire/reading/reading.ts'
import type { TouchNotes } from './notes.ts'
import { joinAll, type Operand, operandOf, type Places } from './operand.ts'

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
const NAMES =
  /^([a-z]+-[a-z]+|ni|ri|del|erase|rd|mi|move|rni|ren|cpi|copy|xcopy|robocopy|iex|icm|iwr|irm|saps|sl)$/i
const VERBS =
  /^(get|set|add|clear|remove|move|copy|rename|new|out|tee|export|invoke|start|import|push|pop)-/i
const PATHS = /^-(path|literalpath|filepath|outfile|destination|newname|target|pspath)(:|$)/i
const SWITCHES =
  /^-(force|recurse|nonewline|append|whatif|confirm|passthru|noclobber|verbose|asbytestream|notypeinformation|r|fo)(:|$)/i

/** Returns true if a text is for PowerShell or cmd.exe, which split words by other rules. */
export function isForWindows(commands: readonly Command[]): boolean {
  return commands.some(
    ({ program }) => NAMES.test(program) && (program.includes('-') ? VERBS.test(program) : true),
  )
}

/**
 * Notes the effects of the best known cmdlets, as far as a reading by the rules of another shell
 * can tell: such a text stays open, and this only refuses more of it.
 */
export function touchByCmdlet(command: Command, places: Places, notes: TouchNotes): boolean {
  const programName = command.program.toLowerCase()
  const isFetch = /^(invoke-webrequest|iwr|invoke-restmethod|irm)$/.test(programName)
  const cmdlet = isFetch
    ? write
    : Object.hasOwn(CMDLETS, programName)
      ? CMDLETS[programName]
      : undefined
  if (!cmdlet) return false
  const { named: namedPaths, bare } = pathsOf(
    command.words.map((word) => operandOf(word, notes.start)),
  )
  const first = cmdlet.touch === 'tree' ? bare : bare.slice(0, 1)
  const targets = cmdlet.both
    ? [...namedPaths, ...bare]
    : namedPaths.length > 0 || isFetch
      ? namedPaths
      : first
  const last = targets.length - 1
  for (const [at, path] of targets.entries()) {
    if (cmdlet.both && !cmdlet.moves && at < last) notes.takeCopy(path, places)
    else if (cmdlet.touch === 'tree' && !(cmdlet.moves && at === last)) {
      if (!cmdlet.moves && path.why === undefined)
        notes.lose({ how: 'both', places, paths: joinAll(path.text, places) })
      for (const one of notes.expanded(path, places)) notes.takeAway(one, places)
    } else notes.target(path, cmdlet.touch, places)
  }
  return true
}

/** `-Path a`, `-Path:a`, and words without a name; values of other parameters are not paths. */
function pathsOf(words: readonly Operand[]): { named: Operand[]; bare: Operand[] } {
  const parameterPaths: Operand[] = []
  const bare: Operand[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Operand
    if (/^\/[a-z](:.*)?$/i.test(word.text) || SWITCHES.test(word.text)) continue
    if (!/^-[a-z]/i.test(word.text)) {
      bare.push(word)
      continue
    }
    const joined = /^-[a-z]+:(.+)$/i.exec(word.text)?.[1]
    const value = joined === undefined ? words[++at] : { ...word, text: joined }
    if (PATHS.test(word.text) && value !== undefined) parameterPaths.push(value)
  }
  return { named: parameterPaths, bare }
}
