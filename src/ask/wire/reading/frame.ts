import type { ParsedScript, SyntaxNode } from './parse.ts'
import type { Command, Gap, Input, PlacedRedirect, Redirect, Span, Why, Word } from './reading.ts'
import type { Changes, ShellState } from './state.ts'

const COMMANDS_MAX = 400
const GAPS_MAX = 100
export const DEPTH_MAX = 12

export type IsFolder = (path: string) => boolean

/** Collects the facts of one reading. */
export class Run {
  readonly commands: Command[] = []
  readonly unnamed: Word[][] = []
  readonly gaps: Gap[] = []
  readonly redirects: PlacedRedirect[] = []
  readonly words: Word[] = []
  /** Returns true if a folder, relative to where the call begins, exists for certain. */
  readonly isFolder: IsFolder
  /** Nothing more is read: it is open anyway. */
  isFull = false
  /** The text wrote a file that a program of the project may run. */
  hasWritten = false
  /** The names of the files that it wrote, without their folders. */
  readonly written = new Set<string>()
  /** The variables that it exported, but for those that are harmless. */
  readonly exported = new Set<string>()
  /** Output goes into a file that no word of a command names. */
  isRedirected = false
  /** The programs so far that are not known; what they write is not known either. */
  readonly unknown = new Set<string>()
  /** The changes that the functions of the text may make when they are called. */
  functionChanges: Changes | undefined

  constructor(isFolder: IsFolder = () => false) {
    this.isFolder = isFolder
  }

  add(command: Command, frame: Frame): void {
    if (this.commands.length < COMMANDS_MAX) {
      this.commands.push(command)
      return
    }
    frame.stop(command.at)
  }
}

/** A simple command, its words expanded. */
export type Call = {
  words: readonly Word[]
  env: { name: string; word: Word }[]
  redirects: Redirect[]
  input: Input
  /** The text on standard input, if it is certain. */
  body?: string
  /** The file on standard input, if a redirection says so. */
  file?: Word
  at: Span
}

/** A substitution: `$(…)`. */
export type Substitution = { script: ParsedScript | undefined; pos: number; end: number }

/** The readers that call one another, in the order of the words they are given. */
export type Readers = {
  node(node: SyntaxNode, state: ShellState, frame: Frame): void
  call(call: Call, state: ShellState, frame: Frame): void
  program(call: Call, state: ShellState, frame: Frame): void
  /** Reads the commands of a substitution; its text, if it is certain. */
  output(part: Substitution, state: ShellState, frame: Frame): string | undefined
}

/** Where in the text a reader is. */
export class Frame {
  readonly run: Run
  readonly depth: number
  /** The programs that start what is read here. */
  readonly via: readonly string[]
  readonly input: Input
  /** A shell other than bash and zsh may read this. */
  readonly isPosix: boolean
  private readonly locate: (from: number, to: number) => Span
  private readonly readers: Readers

  constructor(options: {
    run: Run
    depth?: number
    via?: readonly string[]
    input?: Input
    isPosix?: boolean
    locate: (from: number, to: number) => Span
    readers: Readers
  }) {
    this.run = options.run
    this.depth = options.depth ?? 0
    this.via = options.via ?? []
    this.input = options.input ?? 'own'
    this.isPosix = options.isPosix ?? false
    this.locate = options.locate
    this.readers = options.readers
  }

  with(changes: {
    via?: readonly string[]
    input?: Input
    isPosix?: boolean
    locate?: (from: number, to: number) => Span
    isDeeper?: boolean
  }): Frame {
    return new Frame({
      run: this.run,
      depth: this.depth + (changes.isDeeper ? 1 : 0),
      via: changes.via ?? this.via,
      input: changes.input ?? this.input,
      isPosix: changes.isPosix ?? this.isPosix,
      locate: changes.locate ?? this.locate,
      readers: this.readers,
    })
  }

  /** What runs is not known, only its words are. */
  unnamed(words: readonly Word[], { at, text }: Word): void {
    if (this.run.unnamed.length < COMMANDS_MAX) this.run.unnamed.push([...words])
    this.gap('program word', at, text)
  }

  spanOf(from: number, to: number): Span {
    return this.locate(from, Math.max(from, to))
  }

  gap(why: Why, at: Span, name?: string): void {
    if (this.run.isFull) return
    this.run.gaps.push({ why, at, ...(name === undefined ? {} : { name }) })
    if (this.run.gaps.length < GAPS_MAX) return
    this.run.isFull = true
    this.run.gaps.push({ why: 'size', at })
  }

  /** Ends the reading: more would take too long. */
  stop(at: Span): void {
    if (!this.run.isFull) this.gap('size', at)
    this.run.isFull = true
  }

  readNode(node: SyntaxNode, state: ShellState): void {
    this.readers.node(node, state, this)
  }

  readCall(call: Call, state: ShellState): void {
    this.readers.call(call, state, this)
  }

  readProgram(call: Call, state: ShellState): void {
    this.readers.program(call, state, this)
  }

  readOutput(part: Substitution, state: ShellState): string | undefined {
    return this.readers.output(part, state, this)
  }
}
