import { readCommandText } from './reading/read.ts'
import type { Command } from './reading/reading.ts'
import { rowOf } from './reading/rows/index.ts'

/** Examples that a permission would allow, and that it would not. */
export type Examples = { would: string[]; wouldNot: string[] }

const EACH = 2

/**
 * The first two of `candidates` that a permission would allow, and the first two that it would not.
 * `allows` must decide as the permission itself does, so that no example can be wrong.
 */
export function examplesOf(
  candidates: readonly string[],
  allows: (candidate: string) => boolean,
): Examples {
  const all = [...new Set(candidates)].map((one) => ({ one, isAllowed: allows(one) }))
  const first = (isAllowedWanted: boolean) =>
    all.flatMap(({ one, isAllowed }) => (isAllowed === isAllowedWanted ? [one] : [])).slice(0, EACH)
  return { would: first(true), wouldNot: first(false) }
}

// Long examples are not read.
const WORDS_MAX = 4
const SUBCOMMANDS = 'run publish install exec push remove clean'.split(' ')

/**
 * Commands near this one, the most telling first: with other words, with another subcommand, with
 * another program, out of the folder, in other surroundings.
 */
export function nearCommands(text: string): string[] {
  const { commands } = readCommandText(text)
  const begins = (at: number, { words }: Command) =>
    words.some((word) => word.text.split('@', 1)[0] === commands[at + 1]?.program)
  const first = commands.find((one, at) => one.does !== 'says' || begins(at, one))
  if (!first) return []
  const { program } = first
  const texts = first.words.slice(0, WORDS_MAX).map(({ text: word }) => word)
  const odd = texts.findIndex((word) => !/^[\w@./][\w@./:=+-]*$/.test(word))
  const words = odd < 0 ? texts : texts.slice(0, odd)
  const base = [program, ...words].join(' ')
  const others = SUBCOMMANDS.filter((one) => rowOf(`${program} ${one}`) && one !== words[0])
  return [
    `${base} src`,
    base,
    `${base} | tail -5`,
    ...others.slice(0, 1).map((one) => `${program} ${one} x`),
    `${base} && rm notes.txt`,
    `${base} ../other`,
    `${base} -v`,
    `${base} > notes.txt`,
    `sudo ${base}`,
    ...words.map((_, at) => [program, ...words.slice(0, at)].join(' ')),
  ].filter((one) => one !== text)
}

/** Paths that a pattern may match and paths beside them, the most telling first. */
export function nearPaths(pattern: string): string[] {
  const fill = (star: string) => pattern.replace(/\*+/g, star)
  const plain = fill('').replace(/\/$/, '')
  const parts = plain.split('/')
  const folder = parts.slice(0, -1).join('/')
  const beside = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  return [
    plain,
    `${plain}/notes.txt`,
    fill('a'),
    `${fill('-a')}/b/notes.txt`,
    beside('other.txt'),
    `${folder === '' ? 'src' : folder}/other/notes.txt`,
    'README.md',
    `../${plain}`,
  ].filter((path) => path !== '' && !path.startsWith('/'))
}
