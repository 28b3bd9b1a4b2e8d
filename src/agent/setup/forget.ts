import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { clientFilePath } from '../../platform/config/client-file.ts'
import { SETUP_CLIENTS } from './clients.ts'
import type { Ledger } from './ledger.ts'
import { planClient } from './plan.ts'
import type { Wish } from './setup-client.ts'

/** Whether entries of ours are left in the files of any client, or in a project that was set up. */
export function isAnyLeft(wish: Wish, ledger: Ledger): boolean {
  if (Object.keys(ledger).some((path) => existsSync(path))) return true
  return SETUP_CLIENTS.some((client) =>
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
