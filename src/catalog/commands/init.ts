import { catalogTexts } from '../../../examples/catalog-texts.ts' with { type: 'macro' }
import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { editorSchemas, schemaLine } from '../authoring/editor-schemas.ts'
import { METHODOLOGY_TEXT } from '../grading/default-methodology.ts'
import { catalogFolder, onlyArgument, writeNew } from './folder.ts'

/**
 * `beckon catalog init [DIR]`: makes a folder with examples of real tools or, with `--empty`, one
 * placeholder. Existing files are not overwritten.
 */
export async function init(args: string[], readConfig: ReadConfig): Promise<number> {
  const { data, operands, empty } = readOpenArguments(args, {
    ...DATA_OPTION,
    empty: { type: 'boolean' },
  })
  const folder = catalogFolder(readConfig, data, onlyArgument(operands))
  const files = empty ? starterFiles(today()) : exampleFolder()
  writeNew(folder, files)
  say(folder)
  note(`Wrote ${files.size} files. Next: beckon catalog lint ${folder}`)
  return EXIT.done
}

function today(): string {
  return new Date(systemClock.now()).toISOString().slice(0, 10)
}

const SETTINGS = (today: string) => `name: My catalog
attribution: My catalog, CC-BY-4.0
# True until the data is meant to be used.
preview: true
run:
  date: ${today}
  label: First run
categories:
  - id: messaging
    name: Messaging
    area: communication
`

const VENDOR = `# A placeholder: example.com belongs to nobody. Replace it, or remove it with its tool.
name: Example vendor
url: https://example.com
legalEntity: Example Ltd
domain: example.com
`

const TOOL = `# A placeholder: example.com belongs to nobody. Replace it, or remove it with its vendor.
name: Example messages
vendor: example
kind: http-api
category: messaging
summary: A placeholder that shows how a tool is written down.
homepage: https://example.com/messages
transports: [http]
auth: api-key
pricing: usage
priceSummary: One cent a message
where: hosted
capabilities: [messages.send]
unitPrices:
  - item: message
    unit: message
    usd: 0.01
    source: https://example.com/pricing
`

const REMOVED = `# Removed records: slug, date, reason, and renamedTo or replacement. A slug is never used again.
[]
`

/** The files that every new folder has: settings, methodology, and schemas for editors. */
function starterFiles(today: string): Map<string, string> {
  const texts: Record<string, string> = {
    'catalog.yaml': SETTINGS(today),
    'removed.yaml': REMOVED,
    'vendors/example.yaml': VENDOR,
    'tools/example-messages.yaml': TOOL,
  }
  return new Map([
    ...Object.entries(texts).map(([path, text]) => [path, schemaLine(path) + text] as const),
    ...commonFiles(),
  ])
}

/** The schemas for editors and the methodology, the same in every new folder. */
export function commonFiles(): Map<string, string> {
  const methodology = 'methodology.yaml'
  return new Map([
    [methodology, schemaLine(methodology) + METHODOLOGY_TEXT],
    ...[...editorSchemas()].map(([name, text]) => [`schemas/${name}`, text] as const),
  ])
}

const TEXTS: Record<string, string> = catalogTexts()

/** The example records of `examples/catalog`, by their paths there. */
export function exampleTexts(): ReadonlyMap<string, string> {
  return new Map(Object.entries(TEXTS))
}

/** A complete folder with the examples: their files, the methodology, and schemas for editors. */
function exampleFolder(): Map<string, string> {
  const texts = Object.entries(TEXTS).map(([path, text]) => {
    return [path, path.endsWith('.yaml') ? schemaLine(path) + text : text] as const
  })
  return new Map([...texts, ...commonFiles()])
}
