import { readDocument } from '../../src/ask/oauth/read-document.ts'
import type { Guard, WayOut } from './way-out.ts'

/** What clients that sign in say of themselves, at an address that they choose. */
export function waysOfClients(guard: Guard): WayOut[] {
  return [
    {
      name: 'the document of a client',
      through: ['src/ask/oauth/read-document.ts'],
      async ask(base) {
        const read = await readDocument(guard, `${base}/client.json`)
        return read.outcome === 'read' ? { taken: true } : { taken: false, why: read.reason }
      },
    },
  ]
}
