import { lstatSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Candidates, candidatesOf, type PathPlace } from '../paths/candidates.ts'
import type { HookContext } from '../session/context.ts'
import type { KeptScope } from '../session/kept-scope.ts'
import { judgeUnder } from './judge-call.ts'
import { touchedBy } from './touched.ts'

/** A changed file: its path, relative to the project where possible, and the rule that forbids it. */
export type ChangedFile = { shown: string; rule?: string }

/** By absolute path; undefined when the scope covers it. */
export type OutsideJudge = (path: string) => ChangedFile | undefined

export function outsideJudge(context: HookContext, scope: KeptScope): OutsideJudge {
  const ofFile = judgeUnder(context, scope)
  const ofLink = judgeUnder(context, scope, namesOfLink)
  return (path) => {
    const judgement = (isLink(path) ? ofLink : ofFile)({ path, touch: 'write' })
    if (judgement.is === 'within') return undefined
    if (judgement.is === 'outside') return { shown: judgement.places[0]?.path ?? path }
    return judgement.is === 'off_limits'
      ? { shown: judgement.path, rule: judgement.rule }
      : { shown: path }
  }
}

/** The absolute paths that a call that ran had a yes for, with everything below them. */
export type Agreed = {
  /** Paths outside the scope that were allowed at the terminal; nothing else reports that yes. */
  places: string[]
  /** Removed or moved as a whole. */
  trees: string[]
}

/** The gate stops calls that had no yes, so a call that ran was agreed to. Never throws. */
export async function agreedIn(context: HookContext, scope: KeptScope): Promise<Agreed> {
  const agreed: Agreed = { places: [], trees: [] }
  const { call, client } = context
  if (call.event !== 'after_tool') return agreed
  const judge = judgeUnder(context, scope)
  const isAsked = client.canAsk({ ...call, event: 'before_tool' })
  for (const touch of (await touchedBy(call)).touches) {
    if (touch.touch === 'read') continue
    const judgement = judge(touch)
    if (judgement.is === 'outside' && isAsked)
      agreed.places.push(...judgement.places.map(({ absolute }) => absolute))
    if (judgement.is === 'within' && touch.touch === 'tree')
      agreed.trees.push(candidatesOf(touch.path, { cwd: call.cwd, roots: [] }).absolute)
  }
  return agreed
}

export function isAgreed(path: string, { places, trees }: Agreed): boolean {
  const name = path.normalize('NFC')
  return [...places, ...trees].some((one) => name === one || name.startsWith(`${one}/`))
}

/** A link counts at its own path, because its target has not changed. */
function namesOfLink(path: string, place: PathPlace): Candidates {
  const folder = candidatesOf(dirname(path), place)
  const name = basename(path).normalize('NFC')
  const below = (one: string) => (one === '.' ? name : `${one}/${name}`)
  const { paths, also, absolute } = folder
  return { ...folder, paths: paths.map(below), also: also.map(below), absolute: below(absolute) }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false
  }
}
