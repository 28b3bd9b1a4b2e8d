import { changesOf } from './changes.ts'
import type { Call, Frame } from './frame.ts'
import { readText } from './nested.ts'
import { readOptions } from './options.ts'
import { parseShell } from './parse.ts'
import type { Word } from './reading.ts'
import { readRow } from './row.ts'
import { type ShellState, setVariable, UNKNOWN } from './state.ts'
import { checkTestWords } from './tests.ts'
import { isKnownVariable, isOrdinaryVariable } from './variables.ts'

type Builtin = (words: readonly Word[], call: Call, state: ShellState, frame: Frame) => void

const IDENTIFIER = /^[A-Za-z_]\w*$/
const SET_OPTIONS = readRow('set|says|-e -u -x -v -f -n -C -E -T -b -h -m -o=t +o=t|')

/** Commands that change the shell itself. Others, such as echo, have a row like programs. */
const BUILTINS: Record<string, Builtin> = {
  cd: changeFolder,
  pushd: (words, call, state, frame) => {
    if (words.length > 0) return changeFolder(words, call, state, frame)
    // The folder before the last, which is not kept here.
    state.places = undefined
    state.vars.set('PWD', UNKNOWN)
    note('pushd', [], call, frame)
  },
  popd: (_, call, state, frame) => {
    state.places = undefined
    state.vars.set('PWD', UNKNOWN)
    note('popd', [], call, frame)
  },
  export: (words, call, state, frame) => {
    for (const word of words) {
      const [name = ''] = (word.sure === 'text' ? word.text : (word.prefix ?? '')).split('=')
      if (!isKnownVariable(name)) frame.run.exported.add(name)
    }
    declare(words, call, state, frame)
  },
  declare,
  typeset: declare,
  local: (words, call, state, frame) => {
    if (state.isFunction) declare(words, call, state, frame)
    else frame.gap('definition', call.at, 'local')
  },
  readonly: declare,
  set: setOptions,
  shift: (words, call, state, frame) => {
    const [count] = words
    const by = count === undefined ? 1 : Number(count.text)
    const isSure = count === undefined || count.sure === 'text'
    state.arguments = isSure && Number.isInteger(by) ? state.arguments?.slice(by) : undefined
    note('shift', words, call, frame)
  },
  read: (words, call, state, frame) => fill('read', words, call, state, frame),
  mapfile: (words, call, state, frame) => fill('mapfile', words, call, state, frame),
  readarray: (words, call, state, frame) => fill('readarray', words, call, state, frame),
  unset: (words, call, state, frame) => {
    for (const word of words) {
      if (word.sure !== 'text' || !IDENTIFIER.test(word.text)) {
        return frame.gap('definition', word.at, word.text)
      }
      if (state.functions.has(word.text)) state.functions.set(word.text, undefined)
      if (!isOrdinaryVariable(word.text)) frame.gap('variable', word.at, word.text)
      state.vars.set(word.text, UNKNOWN)
    }
    note('unset', words, call, frame)
  },
  eval: (words, call, state, frame) => {
    const text = joined(words)
    if (text === undefined) return frame.gap('code', call.at, 'eval')
    for (const { name } of call.env) state.vars.set(name, UNKNOWN)
    readText(text, state, frame, { at: call.at, input: call.input })
  },
  trap: (words, call, state, frame) => {
    const [text, ...signals] = words[0]?.text === '--' ? words.slice(1) : words
    if (signals.length === 0 || text?.text === '-' || text?.text === '') {
      return note('trap', words, call, frame)
    }
    readLater(text, call, state, frame)
  },
  source: (words, call, state, frame) => readFile(words, call, state, frame),
  '.': (words, call, state, frame) => readFile(words, call, state, frame),
  builtin: (words, call, state, frame) => readBare(words, call, state, frame),
  command: (words, call, state, frame) => {
    const [first] = words
    if (first?.sure === 'text' && /^-[vV]$/.test(first.text))
      return note('command', words, call, frame)
    const rest = first?.sure === 'text' && /^(-p|--)$/.test(first.text) ? words.slice(1) : words
    readBare(rest, call, state, frame)
  },
  exec: (words, call, state, frame) => {
    if (words.length === 0) return note('exec', [], call, frame)
    const [first] = words
    const rest = first?.sure === 'text' && first.text === '--' ? words.slice(1) : words
    readBare(rest, call, state, frame)
  },
  test: (words, call, _, frame) => {
    checkTestWords(words, frame)
    note('test', words, call, frame)
  },
  '[': (words, call, _, frame) => {
    checkTestWords(words, frame)
    note('[', words, call, frame)
  },
  exit: (words, call, _, frame) => note('exit', words, call, frame),
  return: (words, call, _, frame) => note('return', words, call, frame),
  break: (words, call, _, frame) => note('break', words, call, frame),
  continue: (words, call, _, frame) => note('continue', words, call, frame),
  wait: (words, call, _, frame) => {
    if (words.some(({ sure, text }) => sure === 'part' || text === '-p')) {
      // `wait -p NAME` assigns.
      const isJobs = words.every(({ text }) => /^"?\$[\w!{}]+"?$/.test(text))
      if (!isJobs) return frame.gap('word', call.at, 'wait')
    }
    note('wait', words, call, frame)
  },
}

const REFUSED = new Set(
  'alias unalias hash enable bind complete compgen compopt fc history let getopts coproc zmodload autoload functions setopt unsetopt emulate noglob nocorrect repeat foreach vared zle bindkey sched zcompile disown suspend logout shopt ulimit umask times caller getln'.split(
    ' ',
  ),
)

const HARMLESS = new Set(['umask', 'ulimit', 'times', 'disown'])

/** Returns true for a command that changes the shell itself. */
export function isBuiltin(name: string): boolean {
  return Object.hasOwn(BUILTINS, name) || REFUSED.has(name) || HARMLESS.has(name)
}

/** Reads a builtin that changes the shell. Returns false for any other name. */
export function readBuiltin(
  name: string,
  words: readonly Word[],
  call: Call,
  state: ShellState,
  frame: Frame,
): boolean {
  if (HARMLESS.has(name)) {
    note(name, words, call, frame)
    return true
  }
  if (name === 'shopt' || name === 'setopt') {
    const isHarmless = words.every(
      ({ sure, text }) =>
        sure === 'text' &&
        /^(-[suq]|nullglob|globstar|dotglob|failglob|inherit_errexit|pipefail|errexit)$/.test(text),
    )
    if (isHarmless) note(name, words, call, frame)
    else frame.gap('definition', call.at, name)
    return true
  }
  const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined
  // `CDPATH=/x cd y` goes elsewhere; `IFS= read` only splits what is not known anyway.
  for (const variable of builtin && !Object.hasOwn(FILL_OPTIONS, name) ? call.env : [])
    if (!isOrdinaryVariable(variable.name)) frame.gap('variable', variable.word.at, variable.name)
  if (builtin) builtin(words, call, state, frame)
  else if (REFUSED.has(name)) frame.gap('definition', call.at, name)
  return builtin !== undefined || REFUSED.has(name)
}

function note(program: string, words: readonly Word[], call: Call, frame: Frame): void {
  frame.run.add(
    {
      program,
      words: [...words],
      via: [...frame.via],
      env: call.env,
      redirects: call.redirects,
      places: [],
      input: call.input,
      does: 'says',
      touches: 'named',
      at: call.at,
    },
    frame,
  )
}

/** Without functions of the text: `command ls`. */
function readBare(words: readonly Word[], call: Call, state: ShellState, frame: Frame): void {
  const bare = state.copy()
  bare.functions.clear()
  const [first] = words
  if (!first) return
  if (first.sure === 'text' && Object.hasOwn(BUILTINS, first.text)) {
    frame.readCall({ ...call, words }, state)
    return
  }
  frame.readCall({ ...call, words }, bare)
}

function joined(words: readonly Word[]): string | undefined {
  return words.every(({ sure, base }) => sure === 'text' && !base)
    ? words.map(({ text }) => text).join(' ')
    : undefined
}

function changeFolder(words: readonly Word[], call: Call, state: ShellState, frame: Frame): void {
  const [to, ...others] = words.filter(({ text }) => !/^(--|-P|-L)$/.test(text))
  state.vars.set('OLDPWD', UNKNOWN)
  state.vars.delete('PWD')
  if (others.length > 0) {
    state.places = undefined
    frame.gap('word', call.at, 'cd')
    return
  }
  note('cd', words, call, frame)
  if (!to || to.base === 'home') state.places = to ? [`~${to.text}`] : ['~']
  else if (to.sure !== 'text' || to.text === '-' || /^[-+]/.test(to.text)) state.places = undefined
  else {
    const start = to.base === 'here' ? [''] : state.places
    const path = to.base === 'here' ? to.text.slice(1) : to.text
    state.places = path.startsWith('/') ? [path] : start?.map((place) => join(place, path))
  }
}

function join(place: string, path: string): string {
  return place === '' ? path : `${place}/${path}`
}

function declare(words: readonly Word[], call: Call, state: ShellState, frame: Frame): void {
  for (const word of words) {
    if (word.sure === 'text' && /^[-+][aAgilru]+$/.test(word.text) && !/[niA]/.test(word.text))
      continue
    const text = word.sure === 'text' ? word.text : (word.prefix ?? '')
    const [, name, sign] = /^([A-Za-z_]\w*)(=|$)/.exec(text) ?? []
    if (!name || word.many || (word.sure !== 'text' && !sign)) {
      frame.gap('definition', word.at, word.text)
      continue
    }
    if (!isOrdinaryVariable(name)) frame.gap('variable', word.at, name)
    if (sign) {
      const value = { ...word, text: word.text.slice(name.length + 1) }
      setVariable(name, value, state)
    } else if (!state.vars.has(name)) state.vars.set(name, UNKNOWN)
  }
  note('export', words, call, frame)
}

function setOptions(words: readonly Word[], call: Call, state: ShellState, frame: Frame): void {
  const end = words.findIndex(({ text, sure }) => sure === 'text' && text === '--')
  const options = words.slice(0, end < 0 ? words.length : end)
  const parsedOptions = readOptions(options, SET_OPTIONS)
  const values = parsedOptions.values.map(({ word }) => word.text)
  const isHarmless = values.every((value) =>
    /^(errexit|nounset|pipefail|xtrace|verbose|noglob|errtrace|functrace)$/.test(value),
  )
  if (parsedOptions.gap || !isHarmless) {
    frame.gap('definition', call.at, 'set')
    return
  }
  if (parsedOptions.options.includes('-f') || values.includes('noglob'))
    frame.gap('definition', call.at, 'set')
  if (end >= 0) state.arguments = words.slice(end + 1)
  else if (parsedOptions.operands.length > 0) state.arguments = parsedOptions.operands
  if (state.arguments?.some(({ many }) => many)) state.arguments = undefined
  note('set', words, call, frame)
}

const FILL_OPTIONS: Record<string, string> = {
  read: '-r -s -a=t -d=t -n=t -N=t -p=t -t=t -u=t -e',
  mapfile: '-t -d=t -n=t -O=t -s=t -u=t',
  readarray: '-t -d=t -n=t -O=t -s=t -u=t',
}

function fill(
  name: string,
  words: readonly Word[],
  call: Call,
  state: ShellState,
  frame: Frame,
): void {
  const parsedOptions = readOptions(words, readRow(`${name}|says|${FILL_OPTIONS[name]}|t`))
  const names = [
    ...parsedOptions.operands,
    ...parsedOptions.values.filter(({ option }) => option === '-a').map(({ word }) => word),
  ]
  if (parsedOptions.gap) {
    frame.gap('option', parsedOptions.gap.word.at, name)
    return
  }
  for (const { sure, text, at } of names) {
    if (sure !== 'text' || !IDENTIFIER.test(text)) frame.gap('definition', at, text)
    else if (!isOrdinaryVariable(text)) frame.gap('variable', at, text)
    else state.vars.set(text, UNKNOWN)
  }
  note(name, words, call, frame)
}

/** Text that runs at another time: nothing that the text sets is known there. */
function readLater(text: Word | undefined, call: Call, state: ShellState, frame: Frame): void {
  if (text?.sure !== 'text' || text.base) {
    frame.gap('code', call.at, 'trap')
    return
  }
  const script = parseShell(text.text)
  const changes = script && changesOf(script)
  if (!changes || changes.everything || changes.names.size > 0 || changes.functions.size > 0) {
    frame.gap('code', text.at, 'trap')
    return
  }
  const later = state.copy()
  later.forget({ names: new Map(), functions: new Set(), everything: true })
  later.places = undefined
  readText(text.text, later, frame, { at: text.at, input: 'own' })
}

/** `source FILE`: a file of the project, or of a virtual environment. */
function readFile(words: readonly Word[], call: Call, state: ShellState, frame: Frame): void {
  const [file] = words
  const isEnvironment =
    file?.sure === 'text' && /(^|\/)(\.?v?env[^/]*)\/bin\/activate$/.test(file.text)
  if (!file || !isEnvironment || file.base || frame.run.hasWritten) {
    frame.gap('code', call.at, 'source')
    return
  }
  state.forget({ names: new Map(), functions: new Set(), everything: true })
  note('source', words, call, frame)
}
