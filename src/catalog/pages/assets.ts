import base from '../../platform/web/base.css' with { type: 'text' }
import { bundleScripts } from '../../platform/web/bundle-scripts.ts' with { type: 'macro' }
import controls from '../../platform/web/controls.css' with { type: 'text' }
import { addressOf, minifiedCss } from '../../platform/web/embedded-files.ts'
import { markFile } from '../../platform/web/mark.tsx'
import parts from '../../platform/web/parts.css' with { type: 'text' }
import tokens from '../../platform/web/tokens.css' with { type: 'text' }
import type { BuiltDocument } from '../feeds/built-site.ts'
import directory from './assets/directory.css' with { type: 'text' }
import frame from './assets/frame.css' with { type: 'text' }
import sheet from './assets/sheet.css' with { type: 'text' }
import touch from './assets/touch.css' with { type: 'text' }

const CSS = 'text/css; charset=utf-8'
const JS = 'text/javascript; charset=utf-8'
const FOLDER = '/tools-assets/'

const scripts = bundleScripts('catalog/pages/client', [
  'draft.js',
  'page.js',
  'plain-files.js',
  'weights.js',
])

const files = {
  'catalog.css': {
    type: CSS,
    text: minifiedCss(tokens, base, controls, parts, frame, directory, sheet, touch),
  },
  'icon.svg': { type: 'image/svg+xml', text: markFile() },
  'draft.js': { type: JS, text: scripts['draft.js'] },
  'page.js': { type: JS, text: scripts['page.js'] },
  'plain-files.js': { type: JS, text: scripts['plain-files.js'] },
  'weights.js': { type: JS, text: scripts['weights.js'] },
}

export type PageAssetName = keyof typeof files

const addresses = new Map<PageAssetName, string>()

/** The address of an asset; it changes with the content. */
export function pageAsset(name: PageAssetName): string {
  const cached = addresses.get(name)
  if (cached) return cached
  const address = addressOf(FOLDER, name, new TextEncoder().encode(files[name].text))
  addresses.set(name, address)
  return address
}

/** The assets, immutable under their addresses. */
export function buildAssets(): BuiltDocument[] {
  const headers = { 'cache-control': 'public, max-age=31536000, immutable' }
  return (Object.keys(files) as PageAssetName[]).map((name) => {
    const { type, text } = files[name]
    return { path: pageAsset(name), type, body: text, headers }
  })
}
