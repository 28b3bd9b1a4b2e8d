import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import htmx from 'htmx.org/dist/htmx.min.js' with { type: 'text' }
import webauthn from '../../node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js' with {
  type: 'text',
}
import base from './assets/base.css' with { type: 'text' }
import controls from './assets/controls.css' with { type: 'text' }
import decide from './assets/decide.css' with { type: 'text' }
import icon180 from './assets/icon-180.png' with { type: 'file' }
import icon192 from './assets/icon-192.png' with { type: 'file' }
import icon512 from './assets/icon-512.png' with { type: 'file' }
import lists from './assets/lists.css' with { type: 'text' }
import pairing from './assets/pairing.css' with { type: 'text' }
import shell from './assets/shell.css' with { type: 'text' }
import tokens from './assets/tokens.css' with { type: 'text' }
import device from './client/device.js' with { type: 'text' }
import live from './client/live.js' with { type: 'text' }
import page from './client/page.js' with { type: 'text' }
import passkey from './client/passkey.js' with { type: 'text' }
import push from './client/push.js' with { type: 'text' }
import worker from './client/sw.js' with { type: 'text' }
import { markFile } from './components/mark.tsx'

const CSS = 'text/css; charset=utf-8'
const JS = 'text/javascript; charset=utf-8'
const SVG = 'image/svg+xml'

const files = {
  'app.css': {
    type: CSS,
    text: [tokens, base, shell, controls, decide, lists, pairing].join('\n'),
  },
  'htmx.js': { type: JS, text: htmx },
  'page.js': { type: JS, text: page },
  'live.js': { type: JS, text: live },
  'push.js': { type: JS, text: push },
  'device.js': { type: JS, text: device },
  'passkey.js': { type: JS, text: `${webauthn}\n${passkey}` },
  'icon.svg': { type: SVG, text: markFile(undefined) },
}
const pictures = { 'icon-180.png': icon180, 'icon-192.png': icon192, 'icon-512.png': icon512 }

export type AssetName = keyof typeof files | keyof typeof pictures

type Asset = {
  address: string
  type: string
  plain: Uint8Array<ArrayBuffer>
  gzip: Uint8Array<ArrayBuffer>
}

const byName = new Map<AssetName, Asset>()
const byFile = new Map<string, Asset>()

/** The address of an embedded file; it changes with its content, so it may be kept for ever. */
export function asset(name: AssetName): string {
  return load(name).address
}

/** Answers `/assets/NAME.HASH.EXT`; undefined when there is no such file. */
export function serveAsset(file: string, acceptEncoding: string | null): Response | undefined {
  for (const name of Object.keys({ ...files, ...pictures }) as AssetName[]) load(name)
  const found = byFile.get(file)
  if (!found) return undefined
  const headers: Record<string, string> = {
    'content-type': found.type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  }
  if (!acceptEncoding?.includes('gzip')) return new Response(found.plain, { headers })
  return new Response(found.gzip, { headers: { ...headers, 'content-encoding': 'gzip' } })
}

/**
 * The worker behind the notifications. It stands at the root, so that it serves every page, under
 * one name, so that browsers look there for a newer one.
 */
export function serveWorker(): Response {
  return new Response(worker, {
    headers: {
      'content-type': JS,
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
      'x-content-type-options': 'nosniff',
    },
  })
}

// Compressed at the first use: a command that shows no page does not pay for it.
function load(name: AssetName): Asset {
  const known = byName.get(name)
  if (known) return known
  const { type, plain } = read(name)
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 10)
  const file = name.replace(/\.(\w+)$/, `.${hash}.$1`)
  const made = { address: `/assets/${file}`, type, plain, gzip: Bun.gzipSync(plain, { level: 9 }) }
  byName.set(name, made)
  byFile.set(file, made)
  return made
}

function read(name: AssetName): Pick<Asset, 'type' | 'plain'> {
  if (name in pictures) {
    const path = pictures[name as keyof typeof pictures]
    return { type: 'image/png', plain: new Uint8Array(readFileSync(path)) }
  }
  const { type, text } = files[name as keyof typeof files]
  return { type, plain: new TextEncoder().encode(withAddresses(text)) }
}

/** What a script imports is the very file that its page loads, under the address that it has. */
function withAddresses(text: string): string {
  return text.replace(/ from '\.\/([\w-]+\.js)'/g, (whole, name: string) =>
    name in files ? ` from '${asset(name as AssetName)}'` : whole,
  )
}
