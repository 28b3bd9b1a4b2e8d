import { readFileSync } from 'node:fs'
import htmx from 'htmx.org/dist/htmx.min.js' with { type: 'text' }
import base from '../../platform/web/base.css' with { type: 'text' }
import { bundleScripts } from '../../platform/web/bundle-scripts.ts' with { type: 'macro' }
import controls from '../../platform/web/controls.css' with { type: 'text' }
import {
  createEmbeddedFiles,
  type EmbeddedFile,
  minifiedCss,
} from '../../platform/web/embedded-files.ts'
import { markFile, plainMark } from '../../platform/web/mark.tsx'
import parts from '../../platform/web/parts.css' with { type: 'text' }
import tokens from '../../platform/web/tokens.css' with { type: 'text' }
import badge96 from './assets/badge-96.png' with { type: 'file' }
import consent from './assets/consent.css' with { type: 'text' }
import decide from './assets/decide.css' with { type: 'text' }
import icon180 from './assets/icon-180.png' with { type: 'file' }
import icon192 from './assets/icon-192.png' with { type: 'file' }
import icon512 from './assets/icon-512.png' with { type: 'file' }
import lists from './assets/lists.css' with { type: 'text' }
import masked192 from './assets/masked-192.png' with { type: 'file' }
import masked512 from './assets/masked-512.png' with { type: 'file' }
import pairing from './assets/pairing.css' with { type: 'text' }
import records from './assets/records.css' with { type: 'text' }
import settings from './assets/settings.css' with { type: 'text' }
import shell from './assets/shell.css' with { type: 'text' }

const JS = 'text/javascript; charset=utf-8'
const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: JS,
  svg: 'image/svg+xml',
}
const typeOf = (name: string) => TYPES[name.split('.')[1] ?? ''] ?? JS

const scripts = bundleScripts('ask/pages/client', [
  'page.js',
  'live.js',
  'unsent.js',
  'push.js',
  'device.js',
  'passkey.js',
  'sw.js',
])
const { 'sw.js': worker, ...pageScripts } = scripts

const texts = {
  'app.css': minifiedCss(tokens, base, shell, controls, parts, decide, lists),
  'more.css': minifiedCss(settings, pairing, records, consent),
  'htmx.js': htmx,
  ...pageScripts,
  'icon.svg': markFile(),
  'icon-plain.svg': plainMark('#000'),
}
const pictures = {
  'icon-180.png': icon180,
  'icon-192.png': icon192,
  'icon-512.png': icon512,
  'masked-192.png': masked192,
  'masked-512.png': masked512,
  'badge-96.png': badge96,
}

export type AssetName = keyof typeof texts | keyof typeof pictures

const embeddedFiles = createEmbeddedFiles('/assets/', {
  ...withAddresses(texts, (text, name) => ({ type: typeOf(name), read: () => text })),
  ...withAddresses(pictures, (path) => ({
    type: 'image/png',
    read: () => new Uint8Array(readFileSync(path)),
  })),
})

/** The address of an embedded file; it changes with the content, so it can be cached for ever. */
export const asset: (name: AssetName) => string = embeddedFiles.address

/** Answers `/assets/NAME.HASH.EXT`; undefined if there is no such file. */
export const serveAsset = embeddedFiles.serve

/**
 * The service worker. It is at the root, so that it serves every page, and its name never changes,
 * so that browsers find newer versions.
 */
export function serveWorker(): Response {
  // The worker cannot know the addresses of files, which change with their content.
  const pictures = { icon: asset('icon-192.png'), badge: asset('badge-96.png') }
  return new Response(`const PICTURES=${JSON.stringify(pictures)};${worker}`, {
    headers: {
      'content-type': JS,
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
      'x-content-type-options': 'nosniff',
    },
  })
}

function withAddresses<Name extends string, Given>(
  definitions: Record<Name, Given>,
  file: (one: Given, name: string) => EmbeddedFile,
): Record<Name, EmbeddedFile> {
  const all = Object.entries<Given>(definitions).map(([name, one]) => [name, file(one, name)])
  return Object.fromEntries(all)
}
