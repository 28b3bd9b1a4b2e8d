import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { clientFilePath } from '../../platform/config/client-file.ts'
import type { InstallRequest } from '../client-files/client-setup.ts'
import type { SetupClient } from '../clients/clients.ts'
import type { Ledger } from './ledger.ts'
import { planClient } from './plan.ts'

/**
 * Returns true if entries of ours remain in the files of any client, or in a project that was set
 * up.
 */
export function isAnyLeft(
  all: readonly SetupClient[],
  install: InstallRequest,
  ledger: Ledger,
): boolean {
  if (Object.keys(ledger).some((path) => existsSync(path))) return true
  return all.some((client) =>
    planClient(client, install, 'undo', {}).outcomes.some(({ is }) => is === 'to_do'),
  )
}

/** Removes the address and the token, and their folder when nothing else is in it. */
export function forgetServer({ place }: InstallRequest): void {
  const path = clientFilePath(place.env)
  rmSync(path, { force: true })
  try {
    rmdirSync(dirname(path))
  } catch {
    // Somebody has put a file there, or the folder never existed.
  }
}
