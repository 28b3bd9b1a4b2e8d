import { resolve } from 'node:path'
import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { openKnownDatabase } from '../../platform/db/open-database.ts'
import { addressForLinks } from '../../platform/db/server-address.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { requestAddress } from '../../platform/http/request.ts'
import { createLog } from '../../platform/log.ts'
import { VERSION } from '../../platform/program.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { progress } from '../../platform/terminal/progress.ts'
import { isTerminal, note, say } from '../../platform/terminal/terminal.ts'
import { exportSite } from '../export/export-site.ts'
import { loadFeedModules } from '../feed-modules.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { feedMeta } from '../feeds/meta.ts'
import type { Serve } from '../feeds/serve.ts'
import { catalogOpenApi } from '../openapi/description.ts'
import { descriptionSender } from '../openapi/send-description.ts'
import { createCatalog } from '../routes.ts'
import { onlyArgument } from './folder.ts'

/**
 * `beckon catalog export DIR`: writes the published catalog as files that any web server can serve.
 * In an existing folder only files that changed are written.
 */
export async function exportFolder(args: string[], readConfig: ReadConfig): Promise<number> {
  const { operands, data, json, ...options } = readOpenArguments(args, {
    ...DATA_OPTION,
    'base-url': { type: 'string' },
    json: { type: 'boolean' },
  })
  const dir = onlyArgument(operands)
  if (dir === undefined) throw new WrongUsage('DIR is missing.')
  const folder = resolve(dir)
  const fixed = options['base-url']
  const config = readConfig({ data, 'base-url': fixed })
  const { baseUrl, doubt } = addressForLinks(config, fixed)
  await using db = await openKnownDatabase(config)
  const log = createLog({ format: config.log, level: 'error' })
  await using catalog = createCatalog({
    modules: await loadFeedModules(),
    db,
    clock: systemClock,
    log,
    baseUrl,
    limited: false,
    addressOf: () => '',
    serves: false,
    ...(fixed === undefined ? {} : { fixedBaseUrl: baseUrl }),
  })
  const { documents, snapshot } = await catalog.ready()
  const signed = await catalog.canSign()
  const writing = progress('documents', isTerminal(2))
  const paths = [...documents.keys(), DESCRIPTION_PATH]
  const done = await exportSite(folder, {
    answer: withDescription(catalog.answer, snapshot),
    paths,
    removed: snapshot.removed,
    ...(signed ? { sign: catalog.sign } : {}),
    baseUrl: snapshot.baseUrl,
    now: systemClock.now(),
    onProgress: writing.step,
  })
  writing.end()
  const { revision, sequence } = snapshot
  const { baseUrl: at } = snapshot
  if (json) say(JSON.stringify({ folder, revision, sequence, baseUrl: at, signed, ...done }))
  else say(sentence(folder, done, paths.length))
  if (doubt && at === baseUrl) note(doubt)
  if (!signed) note(unsigned(at))
  return EXIT.done
}

// A whole server describes itself there; `meta.openapi` of every feed links to it.
const DESCRIPTION_PATH = '/openapi.json'

function withDescription(answer: Serve, snapshot: CatalogSnapshot): Serve {
  const { baseUrl, settings } = snapshot
  const { paths, schemas, headers } = catalogOpenApi()
  const info = {
    title: settings.name,
    version: VERSION,
    description: 'A copy of plain files: it answers no parameters, no MCP and no `revisions.json`.',
    license: { name: feedMeta(snapshot).license },
  }
  const components = { schemas, headers }
  const description = { openapi: '3.1.0', info, servers: [{ url: baseUrl }], paths, components }
  const send = descriptionSender(JSON.stringify(description))
  return (request) =>
    requestAddress(request.url).path === DESCRIPTION_PATH ? send(request) : answer(request)
}

function unsigned(at: string): string {
  const cure = `Write baseUrl: ${at} into catalog.yaml, publish it, and export without --base-url.`
  return `Mirrors cannot follow this copy: the catalog signs for another address. ${cure}`
}

function sentence(folder: string, done: Awaited<ReturnType<typeof exportSite>>, documents: number) {
  const { files, written, dropped, bytes } = done
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  const counts = `${documents} documents in ${files} files, ${size}`
  if (written + dropped === 0) return `Nothing has changed in ${folder}: ${counts}.`
  return `${folder}: ${counts}; ${written} written, ${dropped} dropped.`
}
