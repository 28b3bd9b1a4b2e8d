import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { isoTime } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { openKnownDatabase } from '../../platform/db/open-database.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { DATA_OPTION, readArguments } from '../../platform/terminal/arguments.ts'
import { note, say, table } from '../../platform/terminal/terminal.ts'
import { schemaLine } from '../authoring/editor-schemas.ts'
import { closeDraft, readDrafts, type StoredDraft } from '../measured/draft-store.ts'
import { catalogFolder, writeNew } from './folder.ts'

const OPTIONS = {
  ...DATA_OPTION,
  dir: { type: 'string' },
  dismiss: { type: 'string' },
  json: { type: 'boolean' },
  take: { type: 'string' },
} as const

/**
 * `beckon catalog drafts`: lists the changes that measurements suggest. `--take` writes one into
 * the catalog's folder, `--dismiss` drops one; neither is suggested again.
 */
export async function drafts(args: string[], readConfig: ReadConfig): Promise<number> {
  const { data, dir, dismiss, json, take } = readArguments(args, OPTIONS)
  if (take !== undefined && dismiss !== undefined) {
    throw new WrongUsage('Use either --take or --dismiss.')
  }
  await using db = await openKnownDatabase(readConfig({ data }))
  const open = await readDrafts(db.read, 'open')
  const id = take ?? dismiss
  if (id === undefined) return tell(open, json ?? false)
  const draft = open.find((one) => one.id === id)
  if (!draft) throw new Failure('not_found', `No draft called ${id} is open.`)
  if (take !== undefined) write(catalogFolder(readConfig, data, dir), draft)
  await db.write((tx) => closeDraft(tx, id, take === undefined ? 'dismissed' : 'published'))
  return EXIT.done
}

function write(folder: string, { id, slug, kind, what, source, draftedAt }: StoredDraft): void {
  if (!existsSync(join(folder, 'catalog.yaml'))) {
    throw new Failure('not_found', `${folder} is not a catalog; name its folder with --dir.`)
  }
  const date = isoTime(draftedAt).slice(0, 10)
  const path = `changes/${date.slice(0, 4)}/${id}.yaml`
  const change = { date, kind, tool: slug, what, source }
  writeNew(folder, new Map([[path, schemaLine(path) + stringify(change)]]))
  say(join(folder, path))
  note('Read it over, correct its day and its words, and publish.')
}

function tell(open: readonly StoredDraft[], json: boolean): number {
  if (json) {
    say(JSON.stringify(open, null, 2))
    return EXIT.done
  }
  const rows = open.map(({ id, slug, kind, what, draftedAt }) => [
    id,
    slug,
    kind,
    isoTime(draftedAt).slice(0, 10),
    what,
  ])
  if (rows.length > 0) say(table(['DRAFT', 'RECORD', 'KIND', 'SINCE', 'WHAT'], rows))
  const count = open.length === 1 ? '1 draft waits' : `${open.length || 'No'} drafts wait`
  note(`${count} for the curator.`)
  return EXIT.done
}
