import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { clientFilePath } from '../../platform/config/client-file.ts'
import type { SetupClient } from '../clients/clients.ts'
import type { Wish } from './client-setup.ts'
import type { Ledger } from './ledger.ts'
import { planClient } from './plan.ts'

/** Whether entries of ours are left in the files of any client, or in a project that was set up. */
export function isAnyLeft(all: readonly SetupClient[], wish: Wish, ledger: Ledger): boolean {
  if (Object.keys(ledger).some((path) => existsSync(path))) return true
  return all.some((client) =>
    planClient(client, wish, 'undo', {}).outcomes.some(({ is }) => is === 'to_do'),
  )
}

/** Removes the address and the token, and their folder when nothing else is in it. */
export function forgetServer({ place }: Wish): void {
  const path = clientFilePath(place.env)
  rmSync(path, { force: true })
  try {
    rmdirSync(dirname(path))
  } catch {
    // Somebody put something there, or it never was.
  }
}
