import type { Read, Tx } from '../../platform/db/database.ts'
import { putSetting, readSetting } from '../../platform/db/settings-store.ts'
import type { Directory } from './model/store.ts'

/** What a directory wanted last and did not get, for the owners: the directory only tries again. */
export type Refusal = { at: number; why: string }

const nameOf = (id: Directory['id']) => `directory_refusal_${id}`

export async function putRefusal(tx: Tx, id: Directory['id'], { at, why }: Refusal): Promise<void> {
  await putSetting(tx, nameOf(id), JSON.stringify({ at, why }), at)
}

/** Undefined if nothing was refused so far. */
export async function readRefusal(read: Read, id: Directory['id']): Promise<Refusal | undefined> {
  const text = await readSetting(read, nameOf(id))
  return text === undefined ? undefined : (JSON.parse(text) as Refusal)
}
