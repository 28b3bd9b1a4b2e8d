import type { Tx } from '../../platform/db/database.ts'
import { putSetting, readSetting } from '../../platform/db/settings-store.ts'
import { dropIdentitiesOf, listIdentitiesOf } from '../accounts/model/identity-store.ts'
import type { Provider } from './model/provider.ts'
import { leaveGroups } from './sync-groups.ts'

const NAME = 'removed_providers'
/** How long the accounts of people stay, in case their provider comes back. */
const KEPT_MS = 30 * 24 * 3_600_000

type Removed = Record<Provider['id'], number>

async function change(tx: Tx, now: number, edit: (all: Removed) => void): Promise<void> {
  const text = await readSetting(tx, NAME)
  const all: Removed = text === undefined ? {} : JSON.parse(text)
  edit(all)
  const next = JSON.stringify(all)
  if (next !== (text ?? '{}')) await putSetting(tx, NAME, next, now)
}

/** Notes that a provider was removed; the caller holds the lock of providers. */
export function noteRemoval(tx: Tx, id: Provider['id'], at: number): Promise<void> {
  return change(tx, at, (all) => {
    all[id] = at
  })
}

/** Notes that a provider with this id is set up again. */
export function noteReturn(tx: Tx, id: Provider['id'], at: number): Promise<void> {
  return change(tx, at, (all) => {
    delete all[id]
  })
}

/** Forgets the accounts at providers that were removed a month ago, unless somebody used them since. */
export async function forgetRemovedProviders(tx: Tx, now: number): Promise<void> {
  const text = await readSetting(tx, NAME)
  if (text === undefined) return
  const over = Object.entries(JSON.parse(text) as Removed).filter(([, at]) => at <= now - KEPT_MS)
  if (over.length === 0) return
  await tx.lock('providers')
  for (const [id, at] of over) {
    const accounts = await listIdentitiesOf(tx, id)
    if (!accounts.some(({ usedAt }) => usedAt > at)) {
      for (const account of accounts) await leaveGroups(tx, account, { id, name: id, now })
      await dropIdentitiesOf(tx, id)
    }
    await noteReturn(tx, id, now)
  }
}
