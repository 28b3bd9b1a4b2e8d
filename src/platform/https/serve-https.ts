import { readFileSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import type { HttpsConfig } from '../config/config.ts'
import { WrongUsage } from '../config/wrong-usage.ts'
import type { Listener } from '../http/listener.ts'
import type { Log } from '../log.ts'
import { createGuardedFetch } from '../outgoing/guarded-fetch.ts'
import { certificateFiles } from './certificate-files.ts'
import { openChallengePort } from './challenge-port.ts'
import { type Keeper, keepCertificate } from './keep-certificate.ts'

type Deps = {
  https: HttpsConfig
  baseUrl: string
  dataFolder: string
  /** The app whose answers it serves with TLS. */
  listener: Listener
  clock: Clock
  log: Log
}

/**
 * Answers challenges and redirects callers to https on one port, and serves with TLS on the other
 * as soon as there is a certificate. Throws a `Failure` for a port that cannot be opened.
 */
export function serveHttps({ https, baseUrl, dataFolder, ...more }: Deps): Keeper {
  const { host, httpPort, httpsPort, domains, directory, contact } = https
  const { listener, clock, log } = more
  const challenges = new Map<string, string>()
  const { fetch } = createGuardedFetch({
    // The owner has named it, so it may be in a private network.
    allowPrivateHosts: [new URL(directory).hostname],
    ...(https.caFile && { ca: readCa(https.caFile) }),
  })
  listener.reserveTls({ host, port: httpsPort })
  const plain = openChallengePort({ host, port: httpPort, baseUrl, domains, challenges })
  const keeper = keepCertificate({
    ...{ directory, domains, contact, challenges, fetch, clock, log },
    files: certificateFiles(dataFolder),
    use: ({ key, chain }) => listener.serveTls({ key, cert: chain }),
  })
  return {
    problem: keeper.problem,
    async [Symbol.asyncDispose]() {
      await keeper[Symbol.asyncDispose]()
      await plain.stop(true)
    },
  }
}

function readCa(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new WrongUsage(`BECKON_ACME_CA names ${path}, which cannot be read (${code}).`)
  }
}
