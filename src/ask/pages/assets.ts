import { readFileSync } from 'node:fs'
import htmx from 'htmx.org/dist/htmx.min.js' with { type: 'text' }
import webauthn from '../../../node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js' with {
  type: 'text',
}
import base from '../../platform/web/base.css' with { type: 'text' }
import controls from '../../platform/web/controls.css' with { type: 'text' }
import { markFile } from '../../platform/web/mark.tsx'
import parts from '../../platform/web/parts.css' with { type: 'text' }
import { createShelf, type ShelfFile } from '../../platform/web/shelf.ts'
import tokens from '../../platform/web/tokens.css' with { type: 'text' }
import decide from './assets/decide.css' with { type: 'text' }
import icon180 from './assets/icon-180.png' with { type: 'file' }
import icon192 from './assets/icon-192.png' with { type: 'file' }
import icon512 from './assets/icon-512.png' with { type: 'file' }
import lists from './assets/lists.css' with { type: 'text' }
import pairing from './assets/pairing.css' with { type: 'text' }
import shell from './assets/shell.css' with { type: 'text' }
import device from './client/device.js' with { type: 'text' }
import live from './client/live.js' with { type: 'text' }
import page from './client/page.js' with { type: 'text' }
import passkey from './client/passkey.js' with { type: 'text' }
import push from './client/push.js' with { type: 'text' }
import worker from './client/sw.js' with { type: 'text' }
import unsent from './client/unsent.js' with { type: 'text' }

const CSS = 'text/css; charset=utf-8'
const JS = 'text/javascript; charset=utf-8'
const SVG = 'image/svg+xml'

const files = {
  'app.css': {
    type: CSS,
    text: withoutSpaces([tokens, base, shell, controls, parts, decide, lists, pairing].join('\n')),
  },
  'htmx.js': { type: JS, text: htmx },
  'page.js': { type: JS, text: page },
  'live.js': { type: JS, text: live },
  'unsent.js': { type: JS, text: unsent },
  'push.js': { type: JS, text: push },
  'device.js': { type: JS, text: device },
  'passkey.js': { type: JS, text: `${webauthn}\n${passkey}` },
  'icon.svg': { type: SVG, text: markFile(undefined) },
}
const pictures = { 'icon-180.png': icon180, 'icon-192.png': icon192, 'icon-512.png': icon512 }

export type AssetName = keyof typeof files | keyof typeof pictures

const shelf = createShelf('/assets/', {
  ...shelved(files, ({ type, text }) => ({
    type,
    read: () => withAddresses(withoutComments(text)),
  })),
  ...shelved(pictures, (path) => ({
    type: 'image/png',
    read: () => new Uint8Array(readFileSync(path)),
  })),
})

/** The address of an embedded file; it changes with its content, so it may be kept for ever. */
export const asset: (name: AssetName) => string = shelf.address

/** Answers `/assets/NAME.HASH.EXT`; undefined when there is no such file. */
export const serveAsset = shelf.serve

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

function shelved<Name extends string, Given>(
  given: Record<Name, Given>,
  file: (one: Given) => ShelfFile,
): Record<Name, ShelfFile> {
  const all = Object.entries<Given>(given).map(([name, one]) => [name, file(one)])
  return Object.fromEntries(all)
}

/** What a script imports is the very file that its page loads, under the address that it has. */
function withAddresses(text: string): string {
  return text.replace(/ from '\.\/([\w-]+\.js)'/g, (whole, name: string) =>
    name in files ? ` from '${asset(name as AssetName)}'` : whole,
  )
}

/** A stylesheet without what only helps to read it; none of its texts has braces or semicolons. */
function withoutSpaces(css: string): string {
  return withoutComments(css)
    .replace(/\s*([{};,])\s*/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
}

/**
 * Comments that have lines of their own, and the spaces before a line, are for whoever reads the
 * sources: a fifth of what a page would load. No script has a text over several lines.
 */
export function withoutComments(text: string): string {
  return text
    .replace(/^ *\/\/.*\n/gm, '')
    .replace(/^ *\/\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '')
    .replace(/^ +/gm, '')
}
