import type { Guard, Ways } from './way-out.ts'
import { waysOfCertificates } from './ways-of-certificates.ts'
import { waysOfClients } from './ways-of-clients.ts'
import { waysOfMessages } from './ways-of-messages.ts'
import { waysOfProbes } from './ways-of-probes.ts'
import { waysOfSources } from './ways-of-sources.ts'

/** Every way out there is, through one guard. */
export async function waysOut(guard: Guard): Promise<Ways> {
  const messages = await waysOfMessages(guard)
  const sources = waysOfSources(guard)
  return {
    ways: [
      ...messages.ways,
      ...waysOfProbes(guard),
      ...waysOfCertificates(guard),
      ...waysOfClients(guard),
      ...sources.ways,
    ],
    async [Symbol.asyncDispose]() {
      await messages[Symbol.asyncDispose]()
      await sources[Symbol.asyncDispose]()
    },
  }
}
