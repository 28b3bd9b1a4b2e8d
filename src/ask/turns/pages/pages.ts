import { Failure } from '../../../platform/failure.ts'
import { formField, readForm } from '../../../platform/web/form.tsx'
import { seeOther } from '../../../platform/web/respond.ts'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { href, paths } from '../../pages/paths.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'
import { changeNext } from '../change-next.ts'
import { instructSession, withdrawInstruction } from '../instruct.ts'
import { looksLikeCommand } from '../model/instruction.ts'
import type { TurnRouteDeps } from '../rest.ts'
import type { Unsent } from './next-step.tsx'

export type TurnPageDeps = Pick<TurnRouteDeps, 'db' | 'clock'> & {
  /** The page of a session, with a text that could not be sent. */
  showSession(visit: SignedIn, unsent: Unsent): Promise<Response>
}

/** "Send": a text that cannot be sent is shown again, with the reason. */
async function instruct(deps: TurnPageDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const text = formField(form, 'quick') || formField(form, 'text')
  const confirmed = formField(form, 'confirmed') === 'yes'
  const id = sessionOf(visit)
  try {
    await instructSession(deps, visit.person, id, { text, confirmed })
  } catch (thrown) {
    const toConfirm = looksLikeCommand(text) && !confirmed
    const problem = toConfirm ? TO_CONFIRM : problemOf(thrown)
    if (problem === undefined) throw thrown
    return await deps.showSession(visit, { text, problem, toConfirm })
  }
  return seeOther(`${href.live(id)}#next`)
}

const TO_CONFIRM =
  'Nothing was sent yet. The text begins like a command: the agent would read it as text, and nothing would run.'

/** The reason in a sentence, if the person can do something about it. */
function problemOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Failure)) return undefined
  if (thrown.code === 'conflict') return thrown.message
  if (thrown.code !== 'invalid_input') return undefined
  const [{ must } = { must: '' }] = thrown.fields
  return `Nothing was sent. The text ${must.replace(/\.?$/, '.')}`
}

/** "Withdraw". */
async function withdraw(deps: TurnPageDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  await withdrawInstruction(deps, visit.person, formField(form, 'id'))
  return seeOther(`${href.live(sessionOf(visit))}#next`)
}

/** "Save": the ready texts, and whether the client is held. */
async function saveNext(deps: TurnPageDeps, visit: SignedIn): Promise<Response> {
  const form = await readForm(visit.request)
  const replies = formField(form, 'replies').split('\n')
  const id = sessionOf(visit)
  await changeNext(deps, visit.person, id, { replies, holds: form.has('holds') })
  return seeOther(`${href.live(id)}#next`)
}

function sessionOf({ params }: SignedIn): AgentSessionId {
  return (params.id ?? '') as AgentSessionId
}

export function turnPages(deps: TurnPageDeps): Page[] {
  const toSession = (id: string) => `/live/${id}`
  return pagesWith(deps, [
    redirectTo(paths.instruct, toSession),
    signedInPage('POST', paths.instruct, instruct),
    redirectTo(paths.withdrawInstruction, toSession),
    signedInPage('POST', paths.withdrawInstruction, withdraw),
    redirectTo(paths.nextSettings, toSession),
    signedInPage('POST', paths.nextSettings, saveNext),
  ])
}
