import type { Config } from '../../platform/config/config.ts'
import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { listIdentitiesIn } from '../accounts/model/identity-store.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listPeople, whoSignsInLocally } from '../accounts/model/person-store.ts'
import { type Check, passedCheck, warnedCheck } from '../check.ts'
import { readLastSignIn } from '../company/last-sign-in.ts'
import { readProviders } from '../company/providers.ts'
import { listDirectories } from '../directory/model/store.ts'
import { readRefusal } from '../directory/refusal.ts'

const NAME_MAX = 60
const PEOPLE_MAX = 5
// A directory asks again within the hour.
const REFUSAL_MS = 24 * 3_600_000

/**
 * Checks that providers say the groups that owners ask of them, that nobody is left whose only
 * provider is gone, and that directories are not refused. No row without any of them.
 */
export async function companyChecks(
  read: Read,
  company: Config['company'],
  workspaces: readonly WorkspaceId[],
  now: number,
): Promise<Check[]> {
  const lists = await Promise.all(
    workspaces.map(async (id) => [
      ...(await providerChecks(read, company, id)),
      ...(await strandedChecks(read, company, id)),
      ...(await directoryChecks(read, id, now)),
    ]),
  )
  return lists.flat()
}

const short = (text: string) => cutText(cleanLine(text), NAME_MAX)

async function providerChecks(read: Read, company: Config['company'], workspaceId: WorkspaceId) {
  const all = await readProviders({ read, company })
  const own = all.filter((one) => one.workspaceId === workspaceId)
  const checks = own.map(async ({ id, name }): Promise<Check> => {
    const row = `Sign-in with ${short(name)}`
    const last = await readLastSignIn(read, id)
    if (!last?.groupsUnknown) {
      const message = last
        ? `The last sign-in said what was asked of it.`
        : 'Nobody has signed in with it so far.'
      return passedCheck('people', row, message)
    }
    const message = `The last sign-in had no groups: ${cleanLine(last.groupsUnknown)} Those that were known stay.`
    const cure = 'Correct the claim under Settings, Company sign-in, or what the provider sends.'
    return warnedCheck('people', row, message, cure)
  })
  return await Promise.all(checks)
}

/** People whose only way in is an account at a provider that was removed. */
async function strandedChecks(read: Read, company: Config['company'], workspaceId: WorkspaceId) {
  const ids = new Set((await readProviders({ read, company })).map(({ id }) => id))
  const identities = await listIdentitiesIn(read, workspaceId)
  if (identities.every(({ provider }) => ids.has(provider))) return []
  const local = await whoSignsInLocally(read)
  const inside = new Set(
    identities.filter(({ provider }) => ids.has(provider)).map(({ personId }) => personId),
  )
  const gone = new Set(identities.map(({ personId }) => personId))
  const names = (await listPeople(read, workspaceId))
    .filter(({ id, offAt }) => offAt === null && gone.has(id) && !inside.has(id) && !local.has(id))
    .map(({ name }) => `“${short(name)}”`)
  if (names.length === 0) return []
  const more = names.length - PEOPLE_MAX
  const listed = `${names.slice(0, PEOPLE_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const message = `The provider with which ${listed} signed in is set up no more, so that they cannot sign in.`
  const cure = 'Set it up again, or send each a new link under Settings, People.'
  return [warnedCheck('people', 'Without a provider', message, cure)]
}

async function directoryChecks(read: Read, workspaceId: WorkspaceId, now: number) {
  const directories = await listDirectories(read, workspaceId)
  const checks = directories.map(async ({ id, name }): Promise<Check[]> => {
    const refusal = await readRefusal(read, id)
    if (!refusal || now - refusal.at > REFUSAL_MS) return []
    const message = `It was refused: ${cleanLine(refusal.why)}`
    const cure = 'Change it here or in the directory; it tries again by itself.'
    return [warnedCheck('people', `Directory ${short(name)}`, message, cure)]
  })
  return (await Promise.all(checks)).flat()
}
