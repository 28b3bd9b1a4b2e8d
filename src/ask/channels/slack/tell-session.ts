import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import { must } from '../../accounts/model/person.ts'
import { makeAccountCode, personOf } from '../../chat-accounts/chat-accounts.ts'
import { chatAccountPaths } from '../../chat-accounts/paths.ts'
import type { SessionAccess } from '../../delivery/channel-module.ts'
import { absolute } from '../../delivery/model/links.ts'
import { href } from '../../pages/paths.ts'
import { readSubscribers } from '../../subscribers/model/store.ts'
import type { Interaction } from './interaction.ts'

type Deps = { db: Db; clock: Clock; baseUrl: string; sessions: SessionAccess }
type Tell = Extract<Interaction, { kind: 'tell' }>

/**
 * A person in Slack tells a session what to do next. Only a linked account may: anybody else is shown
 * a code that links it. Resolves to what they alone are shown.
 */
export async function tellSession(
  { db, clock, baseUrl, sessions }: Deps,
  { place: { session, subscriberId }, text, user }: Tell,
): Promise<string> {
  const { account, shown: label } = user
  const channel = (await readSubscribers(db.read, [subscriberId])).get(subscriberId)
  if (channel?.transport !== 'slack')
    return 'Nothing was sent: this channel is no longer connected.'
  if (account === undefined) return 'Nothing was sent: Slack does not say whose account this is.'
  const { workspaceId } = channel
  const person = await personOf(db.read, 'slack', account)
  if (person?.workspaceId !== workspaceId) {
    const of = { service: 'slack', account, workspaceId, label } as const
    const code = await makeAccountCode({ db, clock }, of)
    return `Nothing was sent: this account is not linked to a person in Beckon. Your code is ${code}. Type it at ${absolute(baseUrl, chatAccountPaths.page)} within 15 minutes, then send again.`
  }
  try {
    must(person, 'act')
    await sessions.instruct(person, session, { text, via: 'slack' })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `Nothing was sent: ${error.message}`
  }
  return `It waits for the agent. What becomes of it: ${absolute(baseUrl, href.live(session))}`
}
