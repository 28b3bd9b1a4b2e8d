import { lchownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Gives `file`, which was just made, to whom its folder belongs. Commands about the folder of a
 * service run as root, and the service could not open what root has made there.
 */
export function giveToFolderOwner(file: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(file))
  if (uid === 0) return
  try {
    // Never what a link leads to: the owner of the folder may have put one there.
    lchownSync(file, uid, gid)
  } catch {
    // A file system without owners needs none.
  }
}
