import { editorSchemas, schemaLine } from '../authoring/editor-schemas.ts'
import { METHODOLOGY_TEXT } from '../grading/default-methodology.ts'

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
export function starterFiles(today: string): Map<string, string> {
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
