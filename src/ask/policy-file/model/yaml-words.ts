import type { YamlProblem } from '../../../platform/yaml/parse-yaml.ts'

type Words = (what: string) => string

/** What is wrong with a line, and what to do. The parser names them by these codes. */
const WORDS: Readonly<Record<string, Words>> = {
  TAB_AS_INDENT: () => 'is indented with a tab: use spaces',
  MULTIPLE_DOCS: () => 'begins a second document (---): a policy file has one',
  BLOCK_AS_IMPLICIT_KEY: () =>
    'has a second colon, or a line below it that is indented too far: put quotes around text with a colon, or move the line below to the column of its neighbours',
  BLOCK_IN_FLOW: () =>
    'has a colon too many between { } or [ ]: put quotes around text with a colon',
  BAD_SCALAR_START: () =>
    'has a value that begins with a character that YAML uses itself, such as @, % or a backtick: put quotes around it',
  BAD_DQ_ESCAPE: () =>
    'has a backslash in double quotes with no meaning: write two of them, or use single quotes',
  BAD_INDENT: (what) =>
    what.startsWith('Flow')
      ? OPEN_BRACKET
      : 'is not in the column of the names before it: begin names of one level in the same column',
  MISSING_CHAR: missingWords,
  MULTILINE_IMPLICIT_KEY: () =>
    'has a name that is not on one line, or is in the wrong column: begin names of one level in the same column',
  UNEXPECTED_TOKEN: () =>
    'goes on after a value that is complete: put quotes around the whole value, or begin a new line for what follows',
  ALIAS: (what) => `must not be ${what}: write the value itself, in quotes if it begins with *`,
  ANCHOR: (what) => `must not have an anchor (${what}): write the value alone`,
  TAG: (what) => `must not have a tag (${what}): write the value alone`,
  MERGE_KEY: () => 'must not be a merge key: write out each field',
  UNKNOWN: () => 'is not a known field',
  TWICE: () => 'must not be there twice',
  NO_NAME: () => 'must have a plain name before the colon',
  DEEP: () => 'must not be nested so deep',
}

const OPEN_BRACKET = 'has a [ or { that is not closed: close it, and indent the lines in between'

function missingWords(what: string): string {
  if (what.includes('quote')) return 'ends a text in quotes that are not closed: close them'
  if (what.startsWith('Flow')) return OPEN_BRACKET
  if (what.includes('map values')) return 'has a name without a value: put a colon after the name'
  return 'is in the wrong column, or has no dash before it: begin the fields of one entry in the same column'
}

/** Says in a plain sentence why a line cannot be read. */
export function yamlWords({ code, found: what }: Pick<YamlProblem, 'code' | 'found'>): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined
  return (
    words?.(what) ?? `cannot be read as YAML (${what}): look at its quotes, brackets and columns`
  )
}
