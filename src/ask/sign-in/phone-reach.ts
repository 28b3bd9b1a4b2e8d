import { isLoopbackHost } from '../../platform/config/origins.ts'

/** Whether another machine can open the address at all. */
export function isOnlyHere(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl)
  return isLoopbackHost(hostname) || hostname.endsWith('.localhost')
}

/** Why no phone can ring with this address, with the way around; undefined if one can. */
export function whyNoPhone(baseUrl: string): string | undefined {
  if (baseUrl.startsWith('https:') && !isOnlyHere(baseUrl)) return undefined
  const why = isOnlyHere(baseUrl)
    ? `A phone cannot open ${baseUrl}`
    : 'A phone rings only over https'
  return `${why}: ${WAYS}`
}

const WAYS =
  'run `beckon expose tailscale` or `beckon serve --domain NAME`, or add an ntfy topic under Devices.'
