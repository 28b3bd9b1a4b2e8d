import type { Clock } from '../../platform/clock.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Config, HttpsConfig } from '../../platform/config/config.ts'
import { certificateFiles, validityOf } from '../../platform/https/certificate-files.ts'
import { isFor, renewAt } from '../../platform/https/renewal-plan.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Check, failedCheck, passedCheck, warnedCheck } from '../check.ts'
import { probe } from './probe.ts'

type World = {
  config: Config
  clock: Clock
  addressesOf: GuardedFetch['addressesOf']
}

/** The server's own certificate, and what it needs to get the next: names and port 80. */
export async function ownHttpsChecks(world: World): Promise<Check[]> {
  const { https } = world.config
  if (!https) return []
  const names = await Promise.all(https.domains.map((name) => nameChecks(world, name)))
  return [keptCertificateCheck(world, https), ...names.flat()]
}

const CURE_ORDER =
  'See that each name leads to this machine and that port 80 arrives at it; the lines below say more.'

/** Reads the data folder: the server may be another process, or not run at all. */
function keptCertificateCheck({ config, clock }: World, https: HttpsConfig): Check {
  const name = 'Certificate'
  const files = certificateFiles(config.dataFolder)
  const [certificate, attempts] = [files.read('certificate'), files.read('attempts')]
  const reason = attempts && isFor(attempts, https) ? attempts.reason : undefined
  const why = reason === undefined ? '' : ` The last try failed: ${cutText(cleanLine(reason), 300)}`
  const next = attempts && reason ? ` It is tried again at ${isoTime(attempts.notBefore)}.` : ''
  if (!certificate || !isFor(certificate, https)) {
    const message = `There is no certificate for ${https.domains.join(', ')}.${why}${next}`
    return failedCheck('address', name, message, CURE_ORDER)
  }
  const [now, validity] = [clock.now(), validityOf(certificate.chain)]
  const until = isoTime(validity.until)
  if (validity.until <= now) {
    return failedCheck('address', name, `It ended at ${until}.${why}${next}`, CURE_ORDER)
  }
  if (reason !== undefined) {
    const message = `It is valid until ${until}, and was not renewed.${why}${next}`
    return warnedCheck('address', name, message, CURE_ORDER)
  }
  const renewed = isoTime(renewAt(validity, certificate, now))
  return passedCheck('address', name, `It is valid until ${until} and renewed from ${renewed} on.`)
}

async function nameChecks({ config, addressesOf }: World, name: string): Promise<Check[]> {
  const host = await addressesOf(name).catch(() => undefined)
  const title = `Name ${name}`
  if (!host) {
    const cure = `Give ${name} an A or AAAA record with the public address of this machine.`
    return [failedCheck('address', title, 'It has no address.', cure)]
  }
  const addresses = 'addresses' in host ? host.addresses.join(', ') : undefined
  const leads =
    addresses === undefined
      ? warnedCheck(
          'address',
          title,
          'It leads into a private network, where a public authority does not reach it.',
          'Give it the public address, use an authority of your own, or beckon expose tailscale.',
        )
      : passedCheck('address', title, `It leads to ${addresses}.`)
  return [leads, await portCheck(config, name)]
}

/**
 * Checks that the server at port 80 of the name redirects callers to https, as this server does.
 */
async function portCheck({ baseUrl, https }: Config, name: string): Promise<Check> {
  const title = `Port 80 of ${name}`
  const answer = await probe(`http://${name}/`)
  const { port } = new URL(baseUrl)
  const expectedUrl = `https://${name}${port && `:${port}`}/`
  if (answer.answered && answer.status === 308 && answer.headers.get('location') === expectedUrl) {
    return passedCheck('address', title, 'It arrives at this server.')
  }
  const message = answer.answered
    ? `Something else answers there (${answer.status}).`
    : `Nothing answers there as seen from this machine: ${answer.why}.`
  const cure = `Forward port 80 to port ${https?.httpPort} of this machine; some routers hide it from machines behind them.`
  return warnedCheck('address', title, message, cure)
}
