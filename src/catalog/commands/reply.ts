import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isoTime, systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { createGuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { shape } from '../../platform/schema.ts'
import { readPrivateJwk } from '../../platform/signing/ed25519.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import { SignedReply, type VendorReply } from '../records/reply.ts'
import { checkReply, publishedKey, signReply } from '../signing/reply.ts'
import { catalogFolder, onlyArgument } from './folder.ts'

const OPTIONS = {
  ...DATA_OPTION,
  dir: { type: 'string' },
  key: { type: 'string' },
  tool: { type: 'string' },
} as const

/**
 * `beckon catalog reply FILE`: takes a signed reply of a vendor into the catalog, after its key was
 * read at the vendor's domain. With `--key` and `--tool`: the vendor signs a text.
 */
export async function reply(args: string[], readConfig: ReadConfig): Promise<number> {
  const { operands, data, dir, key, tool } = readOpenArguments(args, OPTIONS)
  const file = onlyArgument(operands)
  if (file === undefined) throw new WrongUsage('Name the file of the reply.')
  if ((key === undefined) !== (tool === undefined)) {
    throw new WrongUsage('--key and --tool belong together: they sign a text.')
  }
  const today = isoTime(systemClock.now()).slice(0, 10)
  if (key !== undefined && tool !== undefined) return sign(file, key, tool, today)
  const folder = catalogFolder(readConfig, data, dir)
  const signed = signedReplyIn(file)
  const domain = await domainOf(folder, signed.tool)
  const { fetch } = createGuardedFetch(readConfig({ data }))
  const taken = await withKey(signed, { fetch, domain, site: `https://${domain}`, today })
  if (typeof taken === 'string') throw new Failure('malformed', taken)
  mkdirSync(join(folder, 'replies'), { recursive: true })
  const path = join(folder, 'replies', `${signed.tool}.json`)
  writeFileSync(path, `${JSON.stringify(taken, null, 2)}\n`)
  note(`${path}: a reply of ${domain}, shown after the next publish.`)
  return EXIT.done
}

function sign(file: string, keyFile: string, tool: string, date: string): number {
  const own = readPrivateJwk(jsonIn(keyFile))
  if (!own) throw new Failure('malformed', `${keyFile} is not a key of catalog sign --new-key.`)
  const text = readFileSync(file, 'utf8').trim()
  const signed = signReply({ tool, date, text }, own.jwk)
  if (shape(SignedReply).wrong(signed).length > 0) {
    throw new Failure('malformed', `${file} is empty or too long, or --tool is not a slug.`)
  }
  say(JSON.stringify(signed, null, 2))
  return EXIT.done
}

function signedReplyIn(file: string): SignedReply {
  const value = jsonIn(file)
  const [wrong] = shape(SignedReply).wrong(value)
  if (wrong) throw new Failure('malformed', `${file} is not a signed reply: ${wrong}`)
  return shape(SignedReply).parse(value)
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new Failure('malformed', `${file} cannot be read as JSON.`)
  }
}

async function domainOf(folder: string, slug: string): Promise<string> {
  const { source } = await loadFolder(folder)
  if (!source) throw new Failure('malformed', `${folder} has problems: beckon catalog lint.`)
  const tool = source.tools.find((one) => one.slug === slug)
  const domain = source.vendors.find(({ id }) => id === tool?.vendor)?.domain
  if (domain) return domain
  throw new Failure('not_found', `There is no record ${slug} whose vendor has a domain.`)
}

type KeyRequest = {
  fetch: Parameters<typeof publishedKey>[0]
  domain: string
  /** Without a slash at the end. */
  site: string
  today: string
}

/** The reply with the key that its vendor publishes; a sentence if they do not belong together. */
export async function withKey(
  signed: SignedReply,
  { fetch, domain, site, today }: KeyRequest,
): Promise<VendorReply | string> {
  const published = await publishedKey(fetch, site, signed.signature.kid)
  if (typeof published === 'string') return published
  const checked = checkReply(signed, published.key)
  if (checked !== true) return `The reply does not hold: ${checked}`
  return { ...signed, key: { domain, url: published.url, read: today, x: published.key.x } }
}
