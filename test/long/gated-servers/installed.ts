import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the servers of README.md were installed. */
export const SERVERS_FOLDER = process.env.BECKON_SERVERS ?? join(tmpdir(), 'servers')

/** The program of a server that was installed under a name. */
export function installedProgram(name: string, program: string): string {
  return join(SERVERS_FOLDER, name, 'node_modules/.bin', program)
}
