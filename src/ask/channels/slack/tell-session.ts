import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { must } from '../../accounts/model/person.ts'
import type { SessionAccess } from '../../delivery/channel-module.ts'
import { absolute } from '../../delivery/model/links.ts'
import { href } from '../../pages/paths.ts'
import { readSubscribers } from '../../subscribers/model/store.ts'
import type { Slack } from './api.ts'
import type { Interaction } from './interaction.ts'
import { findPresser, whyNoPerson } from './presser.ts'

type Deps = { db: Db; clock: Clock; slack: Slack; baseUrl: string; sessions: SessionAccess }
type Tell = Extract<Interaction, { kind: 'tell' }>

/**
 * A person in Slack tells a session what to do next. Only a linked account may: anybody else is shown
 * a link for it. Resolves to what they alone are shown.
 */
export async function tellSession(
  deps: Deps,
  { place: { session, subscriberId }, text, user }: Tell,
): Promise<string> {
  const { db, baseUrl, sessions } = deps
  const channel = (await readSubscribers(db.read, [subscriberId])).get(subscriberId)
  if (channel?.transport !== 'slack')
    return 'Nothing was sent: this channel is no longer connected.'
  const { workspaceId } = channel
  const presser = await findPresser(deps, user, workspaceId)
  if (presser.is !== 'person') return await whyNoPerson(deps, presser, user, workspaceId)
  try {
    must(presser.person, 'act')
    await sessions.instruct(presser.person, session, { text, via: 'slack' })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `Nothing was sent: ${error.message}`
  }
  return `It waits for the agent. What becomes of it: ${absolute(baseUrl, href.live(session))}`
}
