import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder in which each client was installed by itself (README.md). */
export const INSTALLED = process.env.BECKON_CLIENTS ?? join(tmpdir(), 'clients')
