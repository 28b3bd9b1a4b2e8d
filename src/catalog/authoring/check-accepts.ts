import type { CatalogSettings } from '../records/authored.ts'
import type { Filed } from './folder.ts'
import { found } from './found.ts'
import type { Tell } from './tell.ts'

const CHAIN = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9+/=]{1,64}$/
const EVM = /^0x[0-9a-fA-F]{40}$/
const NOBODY = /^0x0{40}$/
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
// Addresses of other chains, and no placeholder in angle brackets.
const OTHER = /^[A-Za-z0-9._:-]{8,200}$/

/** Whoever says that payments are taken now must say where to, so that a client can pay. */
export function checkAccepts({ parsed, value }: Filed<CatalogSettings>, tell: Tell): void {
  const accepts = value.catalogAccepts
  if (!accepts?.live) return
  const { asset, networks, facilitator, payTo } = accepts
  const at = (field: string) => `/catalogAccepts/${field}`
  if (asset.trim() === '')
    tell(parsed, at('asset'), 'what is paid with, as live is true', 'nothing')
  if (networks.length === 0) {
    tell(parsed, at('networks'), 'a chain id, as live is true', 'an empty list')
  }
  for (const [i, network] of networks.entries()) {
    if (CHAIN.test(network)) continue
    tell(parsed, at(`networks/${i}`), 'a chain id, such as eip155:8453', found(network))
  }
  if (URL.parse(facilitator)?.protocol !== 'https:') {
    tell(parsed, at('facilitator'), 'an address that starts with https://', found(facilitator))
  }
  if (NOBODY.test(payTo) || !networks.every((network) => couldBePaid(network, payTo))) {
    tell(parsed, at('payTo'), 'the address of a payee on these networks', found(payTo))
  }
}

function couldBePaid(network: string, payTo: string): boolean {
  if (network.startsWith('eip155:')) return EVM.test(payTo)
  if (network.startsWith('solana:')) return SOLANA.test(payTo)
  return OTHER.test(payTo)
}
