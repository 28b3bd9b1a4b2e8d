import type { Check } from './check.ts'
import { measured, unknown, written } from './evidence.ts'

const SERVED = ['http-api', 'mcp', 'model', 'platform']
const UPTIME_LEAST = 99
const SAMPLES_LEAST = 672
const TOOL_TOKENS_MOST = 8_000
const LETTERS_A_TOKEN = 4

/** Checks of security, reliability, schema and ergonomics. */
export const USE_CHECKS: readonly Check[] = [
  {
    key: 'encrypted',
    criterion: 'security',
    question: 'Are all of its addresses encrypted?',
    looksAt: 'the addresses of the record, and the certificate as measured',
    limits: 'It sees no address that the record does not name, and no cipher.',
    raises: 'Serve every address over https with a valid certificate.',
    daysMost: 30,
    kinds: SERVED,
    look({ tool }) {
      const { certificate } = tool.live
      const addresses = [tool.remoteUrl, ...(tool.x402?.endpoints ?? []).map(({ url }) => url)]
      const open = addresses.find((url) => url?.startsWith('http:'))
      if (open) {
        return written('no', { tool, field: 'remoteUrl', summary: `Not encrypted: ${open}` })
      }
      if (!certificate) return unknown('No certificate was measured here.')
      const summary = `The certificate of ${certificate.url} was ${certificate.status}.`
      const answer = certificate.status === 'valid' ? 'yes' : 'no'
      return measured(answer, { at: certificate.checkedAt, summary, source: certificate.url })
    },
  },
  {
    key: 'sign-in',
    criterion: 'security',
    question: 'Is a sign-in with limited access offered?',
    looksAt: 'how callers prove who they are, as the record says it',
    limits: 'OAuth may still give access to everything; keys may be limited, which is not seen.',
    raises: 'Offer OAuth beside keys.',
    daysMost: 365,
    kinds: SERVED,
    look({ tool }) {
      const summary = `Callers use: ${tool.auth}.`
      if (tool.auth === 'oauth' || tool.auth === 'mixed')
        return written('yes', { tool, field: 'auth', summary })
      return unknown(`${summary} Whether access can be limited is not read by a machine.`)
    },
  },
  {
    key: 'security-txt',
    criterion: 'security',
    question: 'Does the vendor say where to report vulnerabilities?',
    looksAt: '/.well-known/security.txt of the vendor (RFC 9116)',
    limits: 'A policy elsewhere, such as in a repository, is not seen.',
    raises: 'Publish a security.txt with Contact and Expires.',
    daysMost: 60,
    look({ tool }) {
      const { securityTxt } = tool.live
      if (securityTxt) {
        const { status, url, checkedAt } = securityTxt
        const summary = `security.txt: ${status}.`
        return measured(status === 'valid' ? 'yes' : 'no', { at: checkedAt, summary, source: url })
      }
      const state = tool.provenance.securityTxt
      if (state === null) return unknown('No security.txt was looked for here.')
      const summary = `security.txt: ${state}, as it was written down.`
      return written(state === 'valid' ? 'yes' : 'no', { tool, field: 'securityTxt', summary })
    },
  },
  {
    key: 'tool-annotations',
    criterion: 'security',
    question: 'Do all MCP tools say whether they only read?',
    looksAt: 'annotations in the list of tools, as a client without credentials gets it',
    limits: 'Annotations are claims of the server.',
    raises: 'Give each tool readOnlyHint or destructiveHint.',
    daysMost: 30,
    kinds: ['mcp'],
    look({ tool }) {
      const { mcpTools: list } = tool.live
      if (!list?.tools?.length) return unknown('No list of tools was read here.')
      const without = list.tools.filter(({ annotated }) => annotated !== true)
      const summary = `${list.tools.length - without.length} of ${list.tools.length} tools say so.`
      const answer = without.length === 0 ? 'yes' : 'no'
      return measured(answer, { at: list.checkedAt, summary, source: list.url })
    },
  },
  {
    key: 'uptime',
    criterion: 'reliability',
    question: `Was it up ${UPTIME_LEAST} % of the last 30 days?`,
    looksAt: 'probes every 15 minutes',
    limits: 'One address, from one place; an answer is not a correct one.',
    raises: 'Answer.',
    daysMost: 3,
    kinds: SERVED,
    look({ tool }) {
      const { uptime30d, samples30d = 0, lastAt, target } = tool.live.probe ?? {}
      if (typeof uptime30d !== 'number' || !lastAt || samples30d < SAMPLES_LEAST)
        return unknown('It was not probed here for a week.')
      const answer = uptime30d >= UPTIME_LEAST ? 'yes' : 'no'
      const summary = `${uptime30d} % of ${samples30d} probes.`
      return measured(answer, { at: lastAt, summary, source: target })
    },
  },
  {
    key: 'status-page',
    criterion: 'reliability',
    question: 'Is there a status page?',
    looksAt: 'the record of the vendor',
    limits: 'Whether the page tells the truth is not seen.',
    raises: 'Publish one.',
    daysMost: 365,
    kinds: SERVED,
    look({ tool }) {
      const { statusPage } = tool.provenance
      if (!statusPage) return unknown('The record names no status page.')
      const summary = 'The record names a status page.'
      return { ...written('yes', { tool, field: 'statusPage', summary }), source: statusPage }
    },
  },
  {
    key: 'description',
    criterion: 'schema',
    question: 'Is there a description for machines?',
    looksAt: 'an OpenAPI document that the record names, or the list of MCP tools',
    limits: 'Whether it agrees with what is served is not seen.',
    raises: 'Publish an OpenAPI document, or list tools without credentials.',
    daysMost: 365,
    kinds: SERVED,
    look({ tool }) {
      const { mcpTools: list } = tool.live
      if (list?.status === 'ok') {
        const summary = `It listed ${list.count ?? 'an unknown number of'} tools.`
        return measured('yes', { at: list.checkedAt, summary, source: list.url })
      }
      if (!tool.openapi) return unknown('The record names no OpenAPI document.')
      const summary = 'The record names an OpenAPI document.'
      return { ...written('yes', { tool, field: 'openapi', summary }), source: tool.openapi }
    },
  },
  {
    key: 'described-operations',
    criterion: 'schema',
    question: 'Has each operation of its OpenAPI document all that a caller needs?',
    looksAt: 'names, descriptions, schemas, errors and security of the operations, as read here',
    limits: 'Whether the descriptions are good, or agree with what is served, is not seen.',
    raises: 'Give each operation what is counted as missing.',
    daysMost: 30,
    kinds: ['http-api', 'model', 'platform'],
    look({ tool }) {
      const { openapiDocument: read } = tool.live
      if (!read?.rules.length) return unknown('No OpenAPI document was read here.')
      const needed = read.rules.filter(({ rule }) => rule !== 'example')
      const short = needed.filter(({ operations, complete }) => complete < operations)
      const counts = short.map(
        ({ rule, operations, complete }) => `${rule} of ${operations - complete} in ${operations}`,
      )
      const summary = short.length === 0 ? 'All have all of it.' : `Missing: ${counts.join(', ')}.`
      const answer = short.length === 0 ? 'yes' : 'no'
      return measured(answer, { at: read.checkedAt, summary, source: read.url })
    },
  },
  {
    key: 'operation-examples',
    criterion: 'schema',
    question: 'Has each operation of its OpenAPI document an example?',
    looksAt: 'examples in requests, replies and their schemas, as read here',
    limits: 'Whether the examples work is not seen.',
    raises: 'Add an example to each operation.',
    daysMost: 30,
    kinds: ['http-api', 'model', 'platform'],
    look({ tool }) {
      const { openapiDocument: read } = tool.live
      const count = read?.rules.find(({ rule }) => rule === 'example')
      if (!read || !count) return unknown('No OpenAPI document was read here.')
      const summary = `${count.complete} of ${count.operations} operations have one.`
      const answer = count.complete === count.operations ? 'yes' : 'no'
      return measured(answer, { at: read.checkedAt, summary, source: read.url })
    },
  },
  {
    key: 'described-parameters',
    criterion: 'schema',
    question: 'Has each MCP tool and parameter a description?',
    looksAt: 'the schemas in the list of tools',
    limits: 'Whether the descriptions are good is not seen.',
    raises: 'Describe each tool and parameter.',
    daysMost: 30,
    kinds: ['mcp'],
    look({ tool }) {
      const { mcpTools: list } = tool.live
      if (!list?.tools?.length) return unknown('No list of tools was read here.')
      const bare = list.tools.filter(({ described }) => described !== true)
      const summary = `${list.tools.length - bare.length} of ${list.tools.length} tools have all of them.`
      const answer = bare.length === 0 ? 'yes' : 'no'
      return measured(answer, { at: list.checkedAt, summary, source: list.url })
    },
  },
  {
    key: 'tool-list-cost',
    criterion: 'ergonomics',
    question: `Does its list of tools cost a model at most ${TOOL_TOKENS_MOST} tokens?`,
    looksAt: 'the size of the list of tools as JSON',
    limits: `Counted as a token for ${LETTERS_A_TOKEN} letters; tokenizers differ.`,
    raises: 'Offer fewer tools, or shorter descriptions.',
    daysMost: 30,
    kinds: ['mcp'],
    look({ tool }) {
      const { mcpTools: list } = tool.live
      const sizes = list?.tools?.map(({ letters }) => letters) ?? []
      if (!list || sizes.length === 0 || sizes.includes(undefined))
        return unknown('No list of tools was read here.')
      const letters = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
      const tokens = Math.ceil(letters / LETTERS_A_TOKEN)
      const answer = tokens <= TOOL_TOKENS_MOST ? 'yes' : 'no'
      const summary = `About ${tokens} tokens for ${sizes.length} tools.`
      return measured(answer, { at: list.checkedAt, summary, source: list.url })
    },
  },
  {
    key: 'guidance',
    criterion: 'ergonomics',
    question: 'Is there documentation written for models?',
    looksAt: 'llms.txt, as measured or as the record names it',
    limits: 'Whether it helps is not seen.',
    raises: 'Publish an llms.txt.',
    daysMost: 60,
    look({ tool }) {
      const { llmsTxt } = tool.live
      if (llmsTxt) {
        const { status, checkedAt, url } = llmsTxt
        const summary = status === 'found' ? 'It has an llms.txt.' : 'It has no llms.txt.'
        return measured(status === 'found' ? 'yes' : 'no', { at: checkedAt, summary, source: url })
      }
      if (!tool.llmsTxt) return unknown('No llms.txt was looked for here.')
      const summary = 'The record names an llms.txt.'
      return { ...written('yes', { tool, field: 'llmsTxt', summary }), source: tool.llmsTxt }
    },
  },
]
