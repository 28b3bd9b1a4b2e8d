import { DATA_OPTION } from '../platform/terminal/arguments.ts'

/** Options of `beckon serve`. */
export const SERVE_OPTIONS = {
  ...DATA_OPTION,
  host: { type: 'string' },
  port: { type: 'string' },
  'base-url': { type: 'string' },
  domain: { type: 'string' },
  'https-port': { type: 'string' },
  'http-port': { type: 'string' },
  'acme-directory': { type: 'string' },
  watch: { type: 'string' },
  check: { type: 'boolean' },
} as const
