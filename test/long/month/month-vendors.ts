import { playMcp } from '../../support/vendor-server.ts'
import { ENDPOINTS, hostOf, VENDORS } from './month-catalog.ts'
import type { MonthWorld } from './month-world.ts'

// Of each day, once it is ill.
const HOURS_AWAY = 12
const PAGES = { '/pricing': 'A call is $0.01.', '/terms': 'Be kind.' }
const TOOLS = [{ name: 'send', description: 'Sends a message.' }]

/** What happens to vendors in the course of the month. */
export type PlayedVendors = {
  /** The page of prices of the dearer one says something else from now on. */
  raise(): void
  /** The sick one is away for the first hours of each day, from an instant on. */
  fallIll(from: number): void
}

export async function playVendors(
  { internet, clock }: MonthWorld,
  { dearer, sick }: { dearer: number; sick: number },
): Promise<PlayedVendors> {
  let illFrom = Number.POSITIVE_INFINITY
  const well = playMcp(TOOLS)
  const isAway = () => clock.now() >= illFrom && new Date(clock.now()).getUTCHours() < HOURS_AWAY
  for (let vendor = 0; vendor < ENDPOINTS; vendor++) {
    const endpoint = await internet.host(`mcp.${hostOf(vendor)}`)
    if (vendor !== sick || typeof well !== 'function') endpoint.on('/mcp', well)
    else endpoint.on('/mcp', (request) => (isAway() ? { status: 503 } : well(request)))
  }
  for (let vendor = 0; vendor < VENDORS; vendor++) {
    const site = await internet.host(hostOf(vendor))
    for (const [path, text] of Object.entries(PAGES)) site.on(path, page(text))
  }
  const raised = await internet.host(hostOf(dearer))
  return {
    raise: () => raised.on('/pricing', page('A call is $0.05.')),
    fallIll(from) {
      illFrom = from
    },
  }
}

function page(text: string) {
  const body = `<!doctype html><title>Page</title><main><p>${text}</main>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
