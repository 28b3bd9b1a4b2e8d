import { fileName, isControlFile, isPlainData } from './files.ts'
import type { Frame } from './frame.ts'
import type { Redirection, WordPart } from './parse.ts'
import type { Input, Redirect, Word } from './reading.ts'
import type { ShellState } from './state.ts'
import { expandWord } from './words.ts'

export type RedirectsOfCommand = {
  redirects: Redirect[]
  /** Where standard input comes from, if they say so. */
  input?: Input
  /** The text on standard input, if it is certain. */
  body?: string
  /** The file on standard input. */
  file?: Word
}

/** Reads the redirections of a command. What is written must be known. */
export function readRedirects(
  nodes: readonly Redirection[],
  state: ShellState,
  frame: Frame,
): RedirectsOfCommand {
  const result = readAll(nodes, state, frame)
  const places = state.places ? { places: state.places } : {}
  for (const redirect of result.redirects) frame.run.redirects.push({ ...redirect, ...places })
  return result
}

function readAll(
  nodes: readonly Redirection[],
  state: ShellState,
  frame: Frame,
): RedirectsOfCommand {
  const result: RedirectsOfCommand = { redirects: [] }
  for (const node of nodes) {
    const at = frame.spanOf(node.pos, node.end)
    if (node.descriptor?.type === 'FileDescriptorVariable') frame.gap('expansion', at)
    const number = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined
    const isInput = number === undefined || number === 0
    if (node.type === 'HereDoc') {
      const body = hereDocText(node.body, node.delimiter?.quoted === true, state, frame)
      result.redirects.push({ op: node.operator, ...(body === undefined ? {} : { body }) })
      if (isInput) feed(result, body)
      continue
    }
    const words = node.target ? expandWord(node.target, state, frame) : []
    const [word] = words
    if (node.type === 'HereString') {
      const body = word?.sure === 'text' && !word.base ? word.text : undefined
      result.redirects.push({ op: '<<<', ...(body === undefined ? {} : { body }) })
      if (isInput) feed(result, body)
      continue
    }
    result.redirects.push({ op: node.operator, ...(word ? { word } : {}) })
    if (words.length !== 1 || !word) frame.gap('target', at)
    else if (node.operator === '<') {
      if (isInput) {
        result.input = 'other'
        result.file = word
        delete result.body
      }
    } else readOutput(node.operator, word, frame)
  }
  return result
}

function feed(result: RedirectsOfCommand, body: string | undefined): void {
  result.input = body === undefined ? 'other' : 'text'
  delete result.file
  if (body === undefined) delete result.body
  else result.body = body
}

function readOutput(operator: string, word: Word, frame: Frame): void {
  if ((operator === '>&' || operator === '<&') && /^(\d+-?|-)$/.test(word.text)) return
  if (word.sure === 'text' && /^\/dev\/(null|stdout|stderr|tty)$/.test(word.text)) return
  frame.run.isRedirected = true
  noteWrite(word, frame)
}

/** A file is written: what runs files of the project afterwards may run it. */
export function noteWrite(word: Word, frame: Frame): void {
  if (word.sure === 'text' && word.text === '-') return
  noteChange(word, frame)
  frame.run.written.add(fileName(word))
  if (!isPlainData(word)) frame.run.hasWritten = true
}

/** A path is made, removed or changed: which one must be known. */
export function noteChange(word: Word, frame: Frame): void {
  if (word.sure !== 'text' && word.sure !== 'names') {
    frame.gap('target', word.at, word.text)
    return
  }
  if (word.text === '/dev/null') return
  if (/^\/dev\/|^\/proc\//.test(word.text)) {
    frame.gap('target', word.at, word.text)
    return
  }
  if (isControlFile(word)) frame.gap('control file', word.at, word.text)
}

function hereDocText(
  body: { text: string; parts: readonly WordPart[] | undefined },
  isQuoted: boolean,
  state: ShellState,
  frame: Frame,
): string | undefined {
  if (isQuoted || !body.parts) {
    return isQuoted || !/[\\$`]/.test(body.text) ? body.text : undefined
  }
  const node = { type: 'Word', text: '""', value: '', pos: 0, end: 0, parts: body.parts } as const
  const [word] = expandWord(
    {
      ...node,
      parts: [{ type: 'DoubleQuoted', pos: 0, end: 0, text: '', parts: body.parts as never }],
    },
    state,
    frame,
  )
  return word?.sure === 'text' && !body.text.includes('\\') ? word.text : undefined
}
