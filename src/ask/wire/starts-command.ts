import type { CommandWords, LineWord } from './command-words.ts'

/**
 * Returns true if a command of the line begins as a rule says (`terraform apply*`), wherever it
 * stands, with or without a path before its program and options before its words. A word that is not
 * known may be one of the rule's, if another of them stands there. Where the line was not read to its
 * end, the words of its text are enough, because a rule that restricts must not miss one; where it is
 * not known what runs, in any order.
 */
export function startsCommand(pattern: string, words: CommandWords): boolean {
  const { commands, text, isTooLarge } = words
  const begin = beginOf(pattern)
  // Most rules name another program, and there may be hundreds of them.
  const [program = ''] = begin.words
  if (mayStand(begin, words)) return true
  if (begin.words.length > 1 && !isTooLarge && !mayName(words, program)) return false
  if (commands.some((words) => begins(words, 0, begin))) return true
  if (isTooLarge && text.some((word) => begin.words.includes(word))) return true
  const loose = { ...begin, isWhole: false }
  return text.some((_, at) => begins(text, at, loose))
}

/** Where it is not known what runs: true if all words of the rule stand anywhere in the text. */
function mayStand({ words, last }: Begin, { parts }: CommandWords): boolean {
  if (!parts) return false
  const [program = '', ...others] = words.map((word) => word.toLowerCase())
  const isPrefix = (at: number) => at === words.length - 1 && last === 'begins'
  return (
    stands(parts.programs, nameOf(program), isPrefix(0)) &&
    others.every((word, at) => stands(parts.all, word, isPrefix(at + 1)))
  )
}

function stands(parts: ReadonlySet<string>, word: string, isPrefix: boolean): boolean {
  if (word === '') return false
  return parts.has(word) || (isPrefix && parts.values().some((part) => part.startsWith(word)))
}

type Names = { isOpen: boolean; first: ReadonlySet<string> }

const names = new WeakMap<CommandWords, Names>()

function mayName(words: CommandWords, program: string): boolean {
  const { isOpen, first } = namesIn(words)
  return isOpen || first.has(program.toLowerCase())
}

/** Every word at which a command of the line may begin. */
function namesIn(words: CommandWords): Names {
  return names.getOrInsertComputed(words, ({ commands, text }) => {
    const firsts = [...commands.flatMap(([program]) => program ?? []), ...text]
    const texts = firsts.filter((first) => typeof first === 'string')
    return {
      isOpen: texts.length < firsts.length,
      first: new Set(texts.flatMap((word) => [word.toLowerCase(), nameOf(word)])),
    }
  })
}

type Begin = { words: string[]; last: 'begins' | 'equals'; isWhole: boolean }

// Rules are few and calls are many.
const BEGINS_MAX = 2_000
const prepared = new Map<string, Begin>()

function beginOf(pattern: string): Begin {
  if (prepared.size > BEGINS_MAX) prepared.clear()
  return prepared.getOrInsertComputed(pattern, readBegin)
}

function readBegin(pattern: string): Begin {
  const isPrefix = pattern.endsWith('*')
  const text = isPrefix ? pattern.slice(0, -1) : pattern
  return {
    words: text.split(/\s+/).filter((word) => word !== ''),
    last: isPrefix && !/\s$/.test(text) ? 'begins' : 'equals',
    isWhole: !isPrefix,
  }
}

// More options than any real command has.
const PLACES_MAX = 400

/** The rule's words before `index` stand before `at`; `isFound`: one of them as it is written. */
type Place = { at: number; index: number; isFound: boolean }

function begins(words: readonly LineWord[], start: number, begin: Begin): boolean {
  const { words: wanted, isWhole } = begin
  const places: Place[] = [{ at: start, index: 0, isFound: wanted.length === 0 }]
  const seen = new Set<string>()
  for (const place of places) {
    const { at, index, isFound } = place
    const word = words[at]
    if (index === wanted.length && isFound && (!isWhole || at === words.length)) return true
    if (word === undefined) continue
    for (const next of placesAfter(words, word, place, begin)) {
      const key = `${next.at} ${next.index} ${next.isFound}`
      if (!seen.has(key)) places.push(next)
      seen.add(key)
    }
    // A line like that is made to be hard to read.
    if (places.length > PLACES_MAX) return true
  }
  return false
}

function placesAfter(
  words: readonly LineWord[],
  word: LineWord,
  { at, index, isFound }: Place,
  { words: wanted, last }: Begin,
): Place[] {
  const isMany = typeof word !== 'string' && word.many
  const skips = isMany ? [{ at: at + 1, index, isFound }] : []
  const next = wanted[index]
  if (next === undefined) return skips
  const isPrefix = index === wanted.length - 1 && last === 'begins'
  const is = index === 0 ? isProgram(word, next, isPrefix) : isWord(word, next, isPrefix)
  if (typeof word === 'string') {
    const after = is ? [{ at: at + 1, index: index + 1, isFound: true }] : []
    // Whether an option takes a value is not known.
    const options = index > 0 && word.startsWith('-') ? [at + 1, at + 2] : []
    return [...after, ...options.map((one) => ({ at: one, index, isFound }))]
  }
  // It may be an option as well.
  const others = index > 0 ? [{ at: at + 1, index, isFound }] : skips
  // `terraform$IFS"apply"` may hold all of it.
  if (is && index === 0 && isMany && nameOf(word.begins).startsWith(next.toLowerCase()))
    return [{ at: at + 1, index: wanted.length, isFound: true }]
  if (!is || isValue(words, at)) return others
  const stays = isMany && index > 0 ? [{ at, index: index + 1, isFound }] : []
  return [{ at: at + 1, index: index + 1, isFound }, ...stays, ...others]
}

/** `git -C "$folder" status`: a word that is not known, between an option and a known one. */
function isValue(words: readonly LineWord[], at: number): boolean {
  const before = words[at - 1]
  if (typeof before !== 'string' || !/^-[^=]*$/.test(before)) return false
  return words.slice(at + 1).some((word) => typeof word === 'string' && !word.startsWith('-'))
}

function isWord(word: LineWord, wanted: string, isPrefix: boolean): boolean {
  if (typeof word === 'string') return isPrefix ? word.startsWith(wanted) : word === wanted
  // Options are often variables, and no rule can rely on how they are written.
  return (
    wanted.startsWith('-') === word.begins.startsWith('-') && mayBe(word.begins, wanted, isPrefix)
  )
}

function isProgram(word: LineWord, wanted: string, isPrefix: boolean): boolean {
  const folded = wanted.toLowerCase()
  if (typeof word !== 'string') {
    if (word.name !== undefined) return isProgram(word.name, wanted, isPrefix)
    return [word.begins, nameOf(word.begins)].some((one) =>
      mayBe(one.toLowerCase(), folded, isPrefix),
    )
  }
  return [word.toLowerCase(), nameOf(word)].some((one) => isWord(one, folded, isPrefix))
}

function mayBe(begin: string, wanted: string, isPrefix: boolean): boolean {
  return wanted.startsWith(begin) || (isPrefix && begin.startsWith(wanted))
}

/** `/usr/bin/terraform` → `terraform`, as every system finds it: some ignore case and add an end. */
function nameOf(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase()
  return name.replace(/\.(exe|cmd|bat)$/, '')
}
