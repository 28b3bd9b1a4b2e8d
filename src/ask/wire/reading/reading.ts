/** A part of the text that was read: from, to (UTF-16 code units, the end not included). */
export type Span = readonly [from: number, to: number]

/**
 * How much is known of a word: exactly this text; a number, but not which; names in a known place
 * (a pattern, or what `find` lists); or only a part of it.
 */
type Certainty = 'text' | 'number' | 'names' | 'part'

/** A word that a program is given. */
export type Word = {
  /** The word itself if it is certain, else its source. */
  text: string
  sure: Certainty
  at: Span
  /** The text is a path below this folder: the home folder, or the one that the call began in. */
  base?: 'home' | 'here'
  /** Where only a part is known: it begins so. */
  prefix?: string
  /** Where only a part is known: it may be no word, or several. */
  many?: true
}

/** The effect of a program, from the least to the most. `project`: it runs code of the project. */
export type Does = 'says' | 'reads' | 'writes' | 'project' | 'network' | 'machine'

/** The files that a command may change: those it names, those of the project, or any. */
export type Touches = 'named' | 'project' | 'elsewhere'

/** Where a program's standard input comes from. */
export type Input = 'own' | 'text' | 'names' | 'other'

export type Redirect = { op: string; word?: Word; body?: string }

/** A redirection of a command, of a loop or of a group, and the folders that it may happen in. */
export type PlacedRedirect = Redirect & { places?: string[] }

/** One program call that the text makes. */
export type Command = {
  program: string
  /** The words after the program, exactly as it is given them. */
  words: Word[]
  /** The words with aliases resolved and global options left out: `npm rum x` → run x. */
  canonical?: string[]
  /** The programs that start it: sudo, docker exec, find. */
  via: string[]
  env: { name: string; word: Word }[]
  redirects: Redirect[]
  /** The folders that it may run in; undefined: any. */
  places?: string[]
  input: Input
  does: Does
  touches: Touches
  at: Span
}

/** Why a reading is not complete. */
export type Why =
  | 'syntax'
  | 'size'
  | 'unseen'
  | 'program'
  | 'program word'
  | 'subcommand'
  | 'option'
  | 'word'
  | 'code'
  | 'input'
  | 'variable'
  | 'expansion'
  | 'written'
  | 'target'
  | 'control file'
  | 'definition'
  | 'language'
  | 'redacted'

/** A place that was not understood. `name`: the program, option or variable that it is about. */
export type Gap = { why: Why; at: Span; name?: string }

/** The effect of a text of shell commands, as far as it is understood. */
export type Reading = {
  version: 1
  commands: Command[]
  /** The words of what is run under a name that is not known, that name first. */
  unnamed: Word[][]
  /** Empty: the text was read to its end. */
  open: Gap[]
  touched: Touches
  /** All that it does stands in the words of its commands: it sets nothing and redirects into no file. */
  wordsOnly: boolean
  /** All redirections, in the order of the text. */
  redirects: PlacedRedirect[]
  /** Every word that the text expands, those of tests and loops too. */
  words: Word[]
}
