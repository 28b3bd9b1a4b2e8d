import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { parseYaml } from '../../platform/yaml/parse-yaml.ts'
import { schemaLine } from '../authoring/editor-schemas.ts'
import { readFolderFile } from '../authoring/read-text.ts'
import { SLUG_PATTERN } from '../records/words.ts'
import { catalogFolder, onlyArgument, writeNew } from './folder.ts'

const OPTIONS = {
  ...DATA_OPTION,
  dir: { type: 'string' },
  vendor: { type: 'string' },
  name: { type: 'string' },
} as const

const SLUG_MAX = 64

/** `beckon catalog new SLUG`: writes a tool's file with every required field, to be filled in. */
export async function newTool(args: string[], readConfig: ReadConfig): Promise<number> {
  const { data, dir, operands, ...options } = readOpenArguments(args, OPTIONS)
  const slug = slugOf(onlyArgument(operands))
  const folder = catalogFolder(readConfig, data, dir)
  if (!existsSync(join(folder, 'catalog.yaml'))) {
    throw new Failure(
      'not_found',
      `${folder} is not a catalog (it has no catalog.yaml); make one with beckon catalog init.`,
    )
  }
  if (await isRemoved(folder, slug)) {
    throw new Failure(
      'conflict',
      `"${slug}" is listed in removed.yaml: a slug is never used again.`,
    )
  }
  const vendor = slugOf(options.vendor ?? slug)
  const files = new Map([[`tools/${slug}.yaml`, toolFile(slug, vendor, options.name ?? '')]])
  const vendorFile = `vendors/${vendor}.yaml`
  if (!existsSync(join(folder, vendorFile))) {
    files.set(vendorFile, schemaLine(vendorFile) + stringify({ name: '', url: '' }))
  }
  writeNew(folder, files)
  for (const path of files.keys()) say(join(folder, path))
  note('Fill in the empty fields; beckon catalog lint lists what is missing.')
  return EXIT.done
}

function slugOf(word: string | undefined): string {
  if (word === undefined) throw new WrongUsage('SLUG is missing.')
  if (new RegExp(SLUG_PATTERN).test(word) && word.length <= SLUG_MAX) return word
  throw new WrongUsage(
    `"${word}" is not a slug: small letters, digits and single hyphens, at most ${SLUG_MAX}.`,
  )
}

function toolFile(slug: string, vendor: string, name: string): string {
  const path = `tools/${slug}.yaml`
  const fields = {
    name,
    vendor,
    kind: '',
    category: '',
    summary: '',
    homepage: '',
    auth: '',
    pricing: '',
    where: '',
    transports: [],
    capabilities: [],
    sources: [],
  }
  return schemaLine(path) + stringify(fields)
}

/** True if `removed.yaml` names the slug; false while that file is missing or broken. */
async function isRemoved(folder: string, slug: string): Promise<boolean> {
  const text = await readFolderFile(folder, 'removed.yaml')
  const parsed = typeof text === 'string' ? parseYaml('removed.yaml', text) : []
  if (Array.isArray(parsed) || !Array.isArray(parsed.value)) return false
  return parsed.value.some((it: unknown) => (it as { slug?: unknown } | null)?.slug === slug)
}
