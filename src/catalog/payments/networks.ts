/**
 * Names of version 1 of the protocol as chain ids of version 2 (CAIP-2): the tables of `@x402/evm`
 * (`EVM_NETWORK_CHAIN_ID_MAP`) and `@x402/svm` (`V1_TO_V2_NETWORK_MAP`) 2.27.0, Apache-2.0.
 */
const CHAIN_IDS: Readonly<Record<string, string>> = {
  ethereum: 'eip155:1',
  sepolia: 'eip155:11155111',
  abstract: 'eip155:2741',
  'abstract-testnet': 'eip155:11124',
  'base-sepolia': 'eip155:84532',
  base: 'eip155:8453',
  'avalanche-fuji': 'eip155:43113',
  avalanche: 'eip155:43114',
  iotex: 'eip155:4689',
  sei: 'eip155:1329',
  'sei-testnet': 'eip155:1328',
  polygon: 'eip155:137',
  'polygon-amoy': 'eip155:80002',
  peaq: 'eip155:3338',
  story: 'eip155:1514',
  educhain: 'eip155:41923',
  'skale-base-sepolia': 'eip155:324705682',
  megaeth: 'eip155:4326',
  monad: 'eip155:143',
  stable: 'eip155:988',
  'stable-testnet': 'eip155:2201',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana-devnet': 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana-testnet': 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
}

/** The chain id of a name of version 1; an unknown name unchanged. */
export function chainId(network: string): string {
  const name = network.toLowerCase()
  return Object.hasOwn(CHAIN_IDS, name) ? (CHAIN_IDS[name] as string) : network
}

const TEST_CHAINS = new Set([
  'eip155:11155111',
  'eip155:11124',
  'eip155:84532',
  'eip155:43113',
  'eip155:1328',
  'eip155:80002',
  'eip155:324705682',
  'eip155:2201',
  'eip155:421614',
  'eip155:31611',
  'eip155:51',
  'eip155:11142220',
  'stellar:testnet',
  'aptos:2',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
])

/** True if this is a test network, whose coins are worth nothing. */
export function isTestChain(chain: string): boolean {
  return TEST_CHAINS.has(chain)
}
