import { cutText } from '../../../platform/text.ts'
import type { Contract } from '../../wire/contract.ts'
import { judgeOf } from '../../wire/matcher/judge.ts'
import { shortPaths } from './read-globs.ts'

/**
 * The extent of a scope, in words for people; `isWide` if that is more than some paths of a
 * project.
 */
export type Opens = { what: string; isWide: boolean }

type Lists = Pick<Contract, 'allowedPaths' | 'offLimitsPaths'>

const NAMED_MAX = 3
const NAME_MAX = 60
// A root that no rule names, so that absolute rules are judged by what they allow on the machine.
const ROOT = '/qz7/vj4/project'

// Paths that nobody names: only a rule that matches nearly anything covers them.
const SPOTS = [...'abcdefghijklmnopqrstuvwxyz0139_.A'].map((letter) => `${letter}qz7${letter}`)
const MACHINE_TOP = SPOTS.map((name) => `/${name}`)
const MACHINE_DEEP = SPOTS.map((name) => `/${name}/${name}/vj4.txt`)
const TOP = SPOTS.map((name) => `${name}.qz7`)
const DEEP = SPOTS.map((name) => `${name}/vj4/${name}.qz7`)

/**
 * Describes what `allowedPaths` allow, found by trying paths that nobody would name: the machine,
 * the whole repository, home folders, system folders, or just the given paths; and what is off
 * limits.
 */
export function opensOf({ allowedPaths, offLimitsPaths }: Lists): Opens {
  const share = shareOf(allowedPaths)
  const except = exceptions(offLimitsPaths)
  const machine = machineWords(share)
  if (machine === ALL) return { what: sentence(`${ALL}${except}`), isWide: true }
  const repository = repositoryWords(share)
  const short = shortPaths(allowedPaths)
  const absolute = short.filter((path) => path.startsWith('/'))
  const places = new Set(absolute.flatMap((path) => placeOf(path) ?? []))
  const wide = [machine, repository, ...places].filter((area) => area !== undefined)
  const others = absolute.filter((path) => placeOf(path) === undefined)
  const elsewhere = others.length > 0 && !machine ? [`${listSome(others)} on this machine`] : []
  const inside = repository ? [] : insideWords(short.filter((path) => !path.startsWith('/')))
  const what = sentence(`${listed([...wide, ...elsewhere, ...inside])}${except}`)
  return { what, isWide: wide.length + elsewhere.length > 0 }
}

/** Returns a sentence about the enforcement of a scope that is still open. */
export function enforcedWords(isHookHere: boolean): string {
  return isHookHere
    ? 'A hook on the agent’s machine enforces it after a yes, once it has read it.'
    : 'Nothing enforces it: no hook reports this session.'
}

/** The share of these paths that may be changed, between 0 and 1. */
function shareOf(allowedPaths: readonly string[]): (paths: readonly string[]) => number {
  const boundary = { allowedPaths, offLimitsPaths: [], widened: [] }
  const judge = judgeOf(boundary, { roots: [ROOT] })
  return (paths) =>
    paths.filter((path) => judge([path], 'write').is === 'within').length / paths.length
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

type Share = ReturnType<typeof shareOf>

const ALL = 'everything on this machine'

function machineWords(share: Share): string | undefined {
  const deep = share(MACHINE_DEEP)
  if (deep === 1) return ALL
  if (deep >= 1 / 2) return 'nearly everything on this machine'
  return share(MACHINE_TOP) >= 1 / 2 ? 'every file at the top of this machine' : undefined
}

function repositoryWords(share: Share): string | undefined {
  const [top, deep] = [share(TOP), share(DEEP)]
  if (top === 1 && deep === 1) return 'all of the repository'
  if (deep >= 1 / 2) return 'nearly all of the repository'
  return top >= 1 / 2 ? 'every file at the top of the repository' : undefined
}

function insideWords(paths: string[]): string[] {
  if (paths.length === 0) return []
  return [
    `${paths.length === 1 ? 'one path' : `${paths.length} paths`} in the repository: ${listSome(paths)}`,
  ]
}

/** Describes an absolute rule: a home folder, a drive, a system folder; otherwise undefined. */
function placeOf(glob: string): string | undefined {
  const [, letter, below = ''] = /^\/([a-z])(\/.*)?$/i.exec(glob) ?? []
  if (letter) {
    const drive = `${letter.toUpperCase()}:`
    return /^(\/\*\*)*$/.test(below) ? `all of drive ${drive}` : placeIn(below, drive)
  }
  return placeIn(glob, '')
}

function placeIn(path: string, drive: string): string | undefined {
  const [first = '', second = '', ...rest] = path.slice(1).split('/')
  const isWhole = rest.every((part) => part === '**')
  if (/^(home|Users)$/i.test(first) && isWhole) {
    if (second === '' || /[*?[]/.test(second)) return 'the home folders of this machine'
    return `the whole home folder ${drive}/${first}/${cut(second)}`
  }
  if (first === 'root' && (second === '' || second === '**')) return 'the home folder of root'
  return SYSTEM.test(first)
    ? `${cut(`${drive}${path.replace(/\/\*\*$/, '')}`)} of the system`
    : undefined
}

const SYSTEM =
  /^(etc|usr|bin|sbin|lib|lib64|var|boot|dev|proc|sys|opt|run|System|Library|Applications|private|Windows)$/i

function exceptions(offLimits: readonly string[]): string {
  return offLimits.length === 0 ? '' : `, except ${listSome(shortPaths(offLimits))}`
}

function listSome(paths: readonly string[]): string {
  const texts = paths.slice(0, NAMED_MAX).map(cut)
  const more = paths.length - texts.length
  return more > 0 ? `${texts.join(', ')} and ${more} more` : listed(texts)
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

function cut(path: string): string {
  const whole = cutText(path, NAME_MAX)
  return whole === path ? path : `${cutText(path, NAME_MAX - 1)}…`
}
