import { lchownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Gives `file`, which was just created, to the owner of its folder. Commands on a service's folder
 * run as root, and the service could not open files that belong to root.
 */
export function giveToFolderOwner(file: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(file))
  if (uid === 0) return
  try {
    // Never changes the target of a link, which the owner of the folder may have put there.
    lchownSync(file, uid, gid)
  } catch {
    // A file system without owners needs no change.
  }
}
