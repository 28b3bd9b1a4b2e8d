import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Person } from '../../accounts/model/person.ts'
import { findHolder, makeAccountLink } from '../../chat-accounts/chat-accounts.ts'
import { chatAccountPaths } from '../../chat-accounts/paths.ts'
import { absolute } from '../../delivery/model/links.ts'
import { findSubscriberByEndpoint } from '../../subscribers/model/store.ts'
import type { Slack, SlackTeam } from './api.ts'
import type { Interaction, SlackUser } from './interaction.ts'
import { channelEndpoint } from './place.ts'

type Deps = { db: Db; clock: Clock; slack: Slack; baseUrl: string }

/**
 * Who acts in Slack: a person whose account is linked, or why it is none. `elsewhere`: the account is
 * of another workspace of Slack than the connected one, or its person of another one of ours;
 * `unknown`: Slack does not say which workspace that is.
 */
export type Presser =
  | { is: 'person'; person: Person; account: string }
  | { is: 'unlinked' | 'off' | 'elsewhere' | 'unknown' }

export async function findPresser(
  { db, clock, slack }: Pick<Deps, 'db' | 'clock' | 'slack'>,
  { account }: Pick<SlackUser, 'account'>,
  workspaceId: WorkspaceId,
): Promise<Presser> {
  if (account === undefined) return { is: 'unlinked' }
  const holder = await findHolder(db.read, 'slack', account)
  if (holder.is === 'nobody') return { is: 'unlinked' }
  const team = await slack.team(clock.now())
  if (!team) return { is: 'unknown' }
  if (!isOf(team, account)) return { is: 'elsewhere' }
  if (holder.is === 'off') return { is: 'off' }
  const { person } = holder
  return person.workspaceId === workspaceId
    ? { is: 'person', person, account }
    : { is: 'elsewhere' }
}

/** What somebody without a linked account is shown alone: a link for it, or why there is none. */
export async function whyNoPerson(
  deps: Deps,
  { is }: Exclude<Presser, { is: 'person' }>,
  user: SlackUser,
  workspaceId: WorkspaceId,
): Promise<string> {
  if (is !== 'unlinked') return `Nothing was done: ${WHY[is]}`
  const { account } = user
  if (account === undefined) return 'Nothing was done: Slack does not say whose account this is.'
  const team = await deps.slack.team(deps.clock.now())
  if (!team) return `Nothing was done: ${WHY.unknown}`
  if (!isOf(team, account)) return `Nothing was done: ${WHY.elsewhere}`
  const label = `${user.shown} in ${team.team}`
  const of = { service: 'slack', account, workspaceId, label, personId: null } as const
  const link = absolute(deps.baseUrl, await makeAccountLink(deps, of))
  return `Nothing was done: this account is not linked to a person in Beckon. Link it within 10 minutes, then press again: ${link} Only you see this link. Whoever opens it decides whose account this is, so do not pass it on.`
}

/** Somebody wants to link their account before it is asked for: what they alone are shown. */
export async function linkInSlack(
  deps: Deps,
  { workspaceId, channel, user }: Extract<Interaction, { kind: 'link' }>,
): Promise<string> {
  const { apiUrl } = await deps.slack.app()
  const endpoint = channelEndpoint(apiUrl, channel)
  if (!(await findSubscriberByEndpoint(deps.db.read, workspaceId, endpoint))) return NOT_CONNECTED
  const presser = await findPresser(deps, user, workspaceId)
  if (presser.is !== 'person') return await whyNoPerson(deps, presser, user, workspaceId)
  const page = absolute(deps.baseUrl, chatAccountPaths.page)
  return `This account is linked already: you answer as ${presser.person.name}. ${page}`
}

const NOT_CONNECTED = 'Nothing was done: this channel is no longer connected.'

/** An account begins with its workspace: two may have the same ids. */
function isOf({ id }: SlackTeam, account: string): boolean {
  return account.startsWith(`${id}:`)
}

const WHY = {
  off: 'the person of this account was switched off in Beckon.',
  elsewhere: 'this account is of another workspace, and cannot be linked here.',
  unknown: 'Slack could not be asked which workspace this is. Press again.',
}
