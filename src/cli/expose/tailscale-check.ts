import { type Check, failedCheck, passedCheck, warnedCheck } from '../../ask/check.ts'
import type { Config } from '../../platform/config/config.ts'
import { Failure } from '../../platform/failure.ts'
import { findTailscale, machineName, servedAt } from './tailscale.ts'

const CURE = 'Run beckon expose tailscale again.'

/** For a base URL in a tailnet: checks that Tailscale runs, has that name and forwards it. */
export async function tailscaleChecks({ baseUrl, port }: Config): Promise<Check[]> {
  const { hostname, port: secure } = new URL(baseUrl)
  if (!hostname.endsWith('.ts.net')) return []
  const title = 'Tailscale'
  const program = findTailscale()
  if (!program) {
    const sentence =
      'The base URL is an address of Tailscale, but Tailscale is not installed on this machine.'
    return [warnedCheck('address', title, sentence, 'Get it from https://tailscale.com/download.')]
  }
  try {
    const name = await machineName(program)
    if (name !== hostname) {
      const sentence = `This machine is ${name} in Tailscale, but the base URL says ${hostname}.`
      return [failedCheck('address', title, sentence, CURE)]
    }
    const served = await servedAt(program, { name, port: Number(secure || 443) })
    const isPassedOn = served !== undefined && new RegExp(`:${port}/?$`).test(served)
    if (isPassedOn)
      return [passedCheck('address', title, `Tailscale passes ${baseUrl} on to ${served}.`)]
    const message = `Tailscale passes ${baseUrl} on to ${served ?? 'nothing'}, but the server is on port ${port}.`
    return [failedCheck('address', title, message, CURE)]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [failedCheck('address', title, error.message, CURE)]
  }
}
