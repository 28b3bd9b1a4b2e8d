import type { Read, Tx } from '../../platform/db/database.ts'
import { dropSetting, putSetting, readSetting } from '../../platform/db/settings-store.ts'
import { type Arrival, NO_CLAIM } from './model/arrival.ts'
import type { Provider } from './model/provider.ts'

/** What the last sign-in with a provider brought: names of claims, and why groups are missing. */
export type LastSignIn = { at: number; claims: string[]; groupsUnknown: string | null }

const nameOf = (id: Provider['id']) => `last_sign_in_with_${id}`

/** Remembers it also if nobody was let in: that is when owners look. */
export async function putLastSignIn(
  tx: Tx,
  { id }: Provider,
  { claims, groups }: Arrival,
  at: number,
): Promise<void> {
  const last: LastSignIn = {
    ...{ at, claims },
    groupsUnknown: 'unknown' in groups && groups.unknown !== NO_CLAIM ? groups.unknown : null,
  }
  await putSetting(tx, nameOf(id), JSON.stringify(last), at)
}

/** Undefined if nobody has signed in with it so far. */
export async function readLastSignIn(
  read: Read,
  id: Provider['id'],
): Promise<LastSignIn | undefined> {
  const text = await readSetting(read, nameOf(id))
  return text === undefined ? undefined : (JSON.parse(text) as LastSignIn)
}

export function dropLastSignIn(tx: Tx, id: Provider['id']): Promise<void> {
  return dropSetting(tx, nameOf(id))
}
