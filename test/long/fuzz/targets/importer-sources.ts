import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What an importer reads: the name of the file, and texts that are good. */
type Source = {
  file: string
  texts: readonly string[]
  pieces?: readonly string[]
  /** What stands beside it, and is good. */
  beside?: Record<string, string>
}

const FIXTURES = join(import.meta.dir, '../../../fixtures/catalog')
const fixture = (path: string) => readFileSync(join(FIXTURES, path), 'utf8')

const OFFER = {
  ...{ scheme: 'exact', network: 'base', maxAmountRequired: '10000', maxTimeoutSeconds: 60 },
  ...{ asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', payTo: `0x${'1'.repeat(40)}` },
}
const RESOURCE = {
  ...{ resource: 'https://api.weather.example/now', type: 'http', x402Version: 1 },
  ...{
    accepts: [OFFER],
    lastUpdated: '2026-11-01T00:00:00Z',
    metadata: { description: 'Weather.' },
  },
}
const LISTED = {
  ...{
    slug: 'a-tool',
    name: 'A tool',
    vendor: 'A vendor',
    vendorUrl: 'https://vendor.example.com',
  },
  ...{
    kind: 'http-api',
    category: 'messaging',
    summary: 'It sends.',
    url: 'https://catalog.example.com/tools/a',
    jsonUrl: 'https://catalog.example.com/api/v1/tools/a-tool.json',
  },
  ...{
    transports: ['http'],
    packages: [{ registry: 'npm', name: 'a' }],
    license: 'MIT',
    tags: ['x'],
  },
}

export const SOURCES: Record<string, Source> & { openapi: Source } = {
  'mcp-registry': {
    file: 'servers.json',
    texts: [JSON.stringify(JSON.parse(fixture('mcp-registry/seed.json')).slice(0, 3))],
  },
  npm: { file: 'npm:', texts: [fixture('npm/resend.json'), fixture('npm/playwright-mcp.json')] },
  'x402-discovery': {
    file: 'resources.json',
    texts: [
      JSON.stringify({
        x402Version: 1,
        items: [RESOURCE],
        pagination: { limit: 100, offset: 0, total: 1 },
      }),
    ],
  },
  'x402-partners': {
    file: 'a/metadata.json',
    texts: [fixture('x402-partners/agentmail.json'), fixture('x402-partners/run402.json')],
  },
  catalog: {
    file: 'tools.json',
    texts: [
      JSON.stringify({
        count: 1,
        graded: 0,
        notGraded: 1,
        meta: { methodology: '0.3', license: 'CC-BY-4.0' },
        tools: [LISTED],
      }),
    ],
  },
  retirement: {
    file: 'nodejs.md',
    texts: [fixture('endoflife/nodejs.md'), fixture('endoflife/akeneo-pim.md')],
  },
  models: {
    file: 'anthropic/models/claude-sonnet-5.toml',
    beside: { 'anthropic/provider.toml': fixture('models/anthropic/provider.toml') },
    texts: [fixture('models/anthropic/models/claude-sonnet-5.toml')],
    pieces: [
      '[',
      ']',
      '[[',
      '"',
      "'",
      '=',
      '.',
      '\n',
      '{',
      '}',
      '1e400',
      'inf',
      '-0',
      '1979-05-27',
    ],
  },
  openapi: {
    file: 'openapi.json',
    texts: [fixture('openapi/1forge.com.json'), fixture('openapi/nexmo.com/conversion.json')],
  },
}
