import { cacheRecent } from '../../../platform/once.ts'
import { unseenLetters } from '../letters.ts'
import { readCall } from './call.ts'
import { changesOf } from './changes.ts'
import { readNode } from './flow.ts'
import { Frame, type IsFolder, type Readers, Run } from './frame.ts'
import { noteFunctions } from './nested.ts'
import { isTooLarge, type ParsedScript, parseShell } from './parse.ts'
import { readProgram } from './programs.ts'
import type { Gap, Reading, Touches } from './reading.ts'
import { ShellState } from './state.ts'

// The same text is read when it is asked, judged and shown.
const RECENT_MAX = 32

/**
 * Reads a text of shell commands (bash or zsh) to its end, or says what it does not understand.
 * Never throws. Callers share the result: nobody changes it.
 */
export const readCommandText = cacheRecent(RECENT_MAX, (text: string) => readText(text))

/** As `readCommandText`, where it is known which folders are there: a `cd` into one does not fail. */
export function readCommandIn(text: string, isFolder: IsFolder): Reading {
  return readText(text, isFolder)
}

function readText(text: string, isFolder?: IsFolder): Reading {
  const run = new Run(isFolder)
  const frame = new Frame({ run, locate: (from, to) => [from, to], readers: READERS })
  const [unseen] = unseenLetters(text)
  if (unseen) frame.gap('unseen', unseen.at)
  const script = parseShell(text)
  if (script) {
    noteFunctions(script, text, frame)
    readNode(script, new ShellState(), frame)
  } else frame.gap(isTooLarge(text) ? 'size' : 'syntax', [0, text.length])
  return {
    version: 1,
    commands: run.commands,
    unnamed: run.unnamed,
    open: onceEach(run.gaps),
    wordsOnly: script !== undefined && isWordsOnly(script, run),
    touched: widest(run),
    redirects: run.redirects,
    words: run.words,
  }
}

/** A variable in capital letters may reach a program. What is not understood may do anything. */
function isWordsOnly(script: ParsedScript, { commands, gaps, isRedirected }: Run): boolean {
  if (isRedirected || gaps.some(({ why }) => why !== 'program')) return false
  const { names, everything } = changesOf(script)
  const isLocal = [...names.keys()].every((name) => /^[a-z][a-z\d]*$/.test(name))
  return !everything && isLocal && commands.every(({ env }) => env.length === 0)
}

/** `$(…)`: its commands are read, and its output is certain where it is a here-document of cat. */
const readOutput: Readers['output'] = (part, state, frame) => {
  const { script } = part
  if (!script) {
    frame.gap('syntax', frame.spanOf(part.pos, part.end))
    return undefined
  }
  const count = frame.run.commands.length
  const isOwn = script.source !== undefined
  const at = frame.spanOf(part.pos, part.end)
  const inside = state.copy()
  readNode(script, inside, frame.with({ isDeeper: true, ...(isOwn ? { locate: () => at } : {}) }))
  state.forget({ ...changesOf(script), names: new Map() })
  const [only, ...others] = frame.run.commands.slice(count)
  const [document] = only?.redirects ?? []
  const isText = only?.program === 'cat' && only.words.length === 0 && only.redirects.length === 1
  if (!isText || others.length > 0 || document?.body === undefined) return undefined
  return document.body.replace(/\n+$/, '')
}

const WIDTH: readonly Touches[] = ['named', 'project', 'elsewhere']

function widest({ commands }: Run): Touches {
  const widths = commands.map(({ touches }) => WIDTH.indexOf(touches))
  return WIDTH[Math.max(0, ...widths)] ?? 'elsewhere'
}

function onceEach(gaps: readonly Gap[]): Gap[] {
  return [...new Map(gaps.map((gap) => [JSON.stringify(gap), gap])).values()]
}

const READERS: Readers = {
  node: readNode,
  call: readCall,
  program: readProgram,
  output: readOutput,
}
