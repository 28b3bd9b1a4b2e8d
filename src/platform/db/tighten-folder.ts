import { chmodSync, readdirSync, statSync } from 'node:fs'
import type { Log } from '../log.ts'

/** The result for a folder that others could read: it is closed, or why not. */
export type Tightened =
  | { outcome: 'as_it_was' | 'closed' }
  | {
      outcome: 'open'
      because:
        | 'another owner'
        | 'shared by everybody'
        | 'other files in it'
        | 'a file system without modes'
    }

const OTHERS = 0o007
const OWNER_ONLY = 0o700
// A folder like /tmp, which is shared on purpose.
const STICKY = 0o1000
// The files that a server, its commands and its backups create in a data folder.
const OURS = /^(beckon\.|serving\.lock|\.beckon-|catalog$|https$|snapshots$|lost\+found$)/

/** As `tightenFolder`, and logs what the server's owner should know. */
export function closeToOthers(folder: string, log: Log): void {
  const done = tightenFolder(folder)
  if (done.outcome === 'closed') {
    log.info('everybody on this machine could look into the data folder; now only its owner can', {
      folder,
    })
  }
  if (done.outcome === 'open') {
    log.warn(
      `Everybody on this machine can look into the data folder, which holds keys. It was left as it is (${done.because}); run chmod 700 as its owner.`,
      { folder },
    )
  }
}

/**
 * Closes a data folder that everybody on the machine may read (0755, as earlier versions and
 * `mkdir` create it) to all but its owner (0700). A folder that is open to a group was opened on
 * purpose and stays. Never throws: opening the database reports a folder that cannot be used.
 */
export function tightenFolder(folder: string): Tightened {
  try {
    return tighten(folder)
  } catch {
    return { outcome: 'as_it_was' }
  }
}

function tighten(folder: string): Tightened {
  const { uid, mode } = statSync(folder)
  const self = process.getuid?.()
  if (self === undefined || (mode & OTHERS) === 0) return { outcome: 'as_it_was' }
  if (uid !== self) return { outcome: 'open', because: 'another owner' }
  if ((mode & STICKY) !== 0) return { outcome: 'open', because: 'shared by everybody' }
  const isOurs = readdirSync(folder).every((name) => OURS.test(name))
  if (!isOurs) return { outcome: 'open', because: 'other files in it' }
  chmodSync(folder, OWNER_ONLY)
  if ((statSync(folder).mode & OTHERS) === 0) return { outcome: 'closed' }
  return { outcome: 'open', because: 'a file system without modes' }
}
