import type { PaidOffer } from '../records/paid-check.ts'
import { chainId, isTestChain } from './networks.ts'

export type ProtocolVersion = 1 | 2

// Chain ids, addresses and names of schemes: no character with a meaning in HTML.
const PLAIN = /^[A-Za-z0-9:._/+=@-]+$/
// The most digits of a 256-bit number.
const AMOUNT = /^\d{1,78}$/
const EXTRAS_MOST = 12
const EXTRA_NAME = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Reads one of `accepts` of a demand for payment; returns the reason as text if clients could not
 * use it. Version 1 names its networks and says `maxAmountRequired`, version 2 has chain ids and
 * `amount`.
 */
export function readOffer(value: unknown, version: ProtocolVersion): PaidOffer | string {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'an offer is none'
  const offer = value as Record<string, unknown>
  const scheme = plain(offer.scheme, 64)
  const network = plain(offer.network, 100)
  const asset = plain(offer.asset, 200)
  const payTo = plain(offer.payTo, 200)
  if (!scheme) return 'an offer names no scheme'
  if (!network) return 'an offer names no network'
  if (!asset) return 'an offer names no coin'
  if (!payTo) return 'an offer does not say who is paid'
  if (version === 2 && !network.includes(':')) return 'a network is not a chain id'
  const amount = amountOf(version === 1 ? offer.maxAmountRequired : offer.amount)
  if (amount === undefined) return 'an amount is not a whole number'
  const timeout = offer.maxTimeoutSeconds
  if (typeof timeout !== 'number' || !Number.isFinite(timeout) || timeout <= 0) {
    return 'an offer does not say how long a payment may take'
  }
  const chain = version === 1 ? chainId(network) : network
  const extra = extraOf(offer.extra)
  return {
    scheme,
    network: chain,
    ...(chain === network ? {} : { networkName: network }),
    amount,
    asset,
    payTo,
    maxTimeoutSeconds: Math.min(timeout, MOST_SECONDS),
    ...dollarPrice(chain, asset, amount),
    ...(extra ? { extra } : {}),
  }
}

const MOST_SECONDS = 1_000_000_000

function plain(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string' || value.length > most) return undefined
  return PLAIN.test(value) ? value : undefined
}

/** Digits without leading zeros. Some servers send a number instead of text. */
function amountOf(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !AMOUNT.test(text)) return undefined
  return BigInt(text).toString()
}

/** The plain values of `extra`, such as the name and version for a signature. */
function extraOf(value: unknown): PaidOffer['extra'] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const extras = Object.entries(value).filter(
    ([name, own]) =>
      EXTRA_NAME.test(name) &&
      name !== '__proto__' &&
      ((typeof own === 'string' && own.length <= 200) ||
        typeof own === 'boolean' ||
        (typeof own === 'number' && Number.isFinite(own))),
  )
  return extras.length === 0 ? undefined : Object.fromEntries(extras.slice(0, EXTRAS_MOST))
}

type DollarPrice = { priceUsd: string | null; symbol?: string; note?: string }

// No call costs more than this; a higher amount is a mistake.
const MOST_DOLLARS = 1_000_000n

/**
 * Converts an amount in a coin's smallest unit exactly to dollars; null with the reason if the coin
 * is not a known dollar, or the amount is a mistake. `amount` has only digits.
 */
function dollarPrice(chain: string, asset: string, amount: string): DollarPrice {
  const coin = dollarCoin(chain, asset)
  if (!coin) return { priceUsd: null, note: 'The coin is not one that is known to be a dollar.' }
  const { symbol, decimals } = coin
  if (BigInt(amount) > MOST_DOLLARS * 10n ** BigInt(decimals)) {
    return { priceUsd: null, symbol, note: 'It asks for more than a million dollars a call.' }
  }
  const test = isTestChain(chain) ? { note: 'Coins of a test network are worth nothing.' } : {}
  return { priceUsd: shifted(amount, decimals), symbol, ...test }
}

/** `10000` with six decimals as `0.01`. */
function shifted(amount: string, decimals: number): string {
  const digits = amount.replace(/^0+/, '').padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  const rest = digits.slice(-decimals).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

type DollarCoin = { symbol: string; decimals: number }

const usdc = (asset: string): readonly [string, DollarCoin] => [
  asset,
  { symbol: 'USDC', decimals: 6 },
]

/**
 * Coins that are worth a dollar each, by chain. EVM and Solana: the defaults of `@x402/evm` and
 * `@x402/svm` 2.27.0; Avalanche Fuji, Polygon Amoy and the bridged ones: `shared/evm/config.ts` of
 * the `x402` package 1; Stellar and Aptos: "Networks & Token Support" of the protocol's
 * documentation. All are Apache-2.0. Other coins have no price in dollars.
 */
const COINS: Readonly<Record<string, ReadonlyArray<readonly [asset: string, DollarCoin]>>> = {
  'eip155:1': [usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')],
  'eip155:8453': [usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')],
  'eip155:84532': [usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e')],
  'eip155:137': [usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359')],
  'eip155:80002': [usdc('0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582')],
  'eip155:42161': [usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831')],
  'eip155:421614': [usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d')],
  'eip155:43114': [usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E')],
  'eip155:43113': [usdc('0x5425890298aed601595a70AB815c96711a31Bc65')],
  'eip155:143': [usdc('0x754704Bc059F8C67012fEd69BC8A327a5aafb603')],
  'eip155:1329': [usdc('0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392')],
  'eip155:1328': [usdc('0x4fCF1784B31630811181f670Aea7A7bEF803eaED')],
  'eip155:50': [usdc('0xfA2958CB79b0491CC627c1557F441eF849Ca8eb1')],
  'eip155:51': [usdc('0xb5AB69F7bBada22B28e79C8FFAECe55eF1c771D4')],
  'eip155:4689': [usdc('0xcdf79194c6c285077a58da47641d4dbe51f63542')],
  'eip155:3338': [usdc('0xbbA60da06c2c5424f03f7434542280FCAd453d10')],
  'eip155:2741': [usdc('0x84a71ccd554cc1b02749b35d22f684cc8ec987e1')],
  'eip155:11124': [usdc('0xe4C7fBB0a626ed208021ccabA6Be1566905E2dFc')],
  'eip155:1514': [usdc('0xF1815bd50389c46847f0Bda824eC8da914045D14')],
  'eip155:41923': [usdc('0x12a272A581feE5577A5dFa371afEB4b2F3a8C2F8')],
  'eip155:324705682': [usdc('0x2e08028E3C4c2356572E096d8EF835cD5C6030bD')],
  'eip155:42220': [
    usdc('0xcebA9300f2b948710d2653dD7B07f33A8B32118C'),
    ['0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e', { symbol: 'USDT', decimals: 6 }],
  ],
  'eip155:11142220': [usdc('0x01C5C0122039549AD1493B8220cABEdD739BC44E')],
  'eip155:14': [['0xe7cd86e13AC4309349F30B3435a9d337750fC82D', { symbol: 'USDT0', decimals: 6 }]],
  'eip155:988': [['0x779Ded0c9e1022225f8E0630b35a9b54bE713736', { symbol: 'USDT0', decimals: 6 }]],
  'eip155:2201': [['0x78Cf24370174180738C5B8E352B6D14c83a6c9A9', { symbol: 'USDT0', decimals: 6 }]],
  'eip155:4326': [
    ['0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7', { symbol: 'MegaUSD', decimals: 18 }],
  ],
  'eip155:31611': [
    ['0x118917a40FAF1CD7a13dB0Ef56C86De7973Ac503', { symbol: 'mUSD', decimals: 18 }],
  ],
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': [usdc('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')],
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': [usdc('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU')],
  'stellar:pubnet': [
    ['CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75', { symbol: 'USDC', decimals: 7 }],
  ],
  'stellar:testnet': [
    ['CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA', { symbol: 'USDC', decimals: 7 }],
  ],
  'aptos:1': [usdc('0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b')],
  'aptos:2': [usdc('0x69091fbab5f7d635ee7ac5098cf0c1efbe31d68fec0f2cd565e8d168daf52832')],
}

/** The dollar coin at an address of a chain; only hex addresses ignore case. */
function dollarCoin(chain: string, asset: string): DollarCoin | undefined {
  const coins = Object.hasOwn(COINS, chain) ? COINS[chain] : undefined
  return coins?.find(([address]) => sameAddress(address, asset))?.[1]
}

function sameAddress(address: string, asset: string): boolean {
  return address.startsWith('0x')
    ? address.toLowerCase() === asset.toLowerCase()
    : address === asset
}
