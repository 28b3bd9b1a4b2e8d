import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SurfaceCall } from '../../support/mcp-surface.ts'

/** Where a server runs: an empty folder of its own, and the address of a database. */
export type ServerPlace = { folder: string; database: string }

/** A server from npm, and what is done with it. */
export type NpmServer = {
  name: string
  package: string
  program: string
  /** What follows the program. */
  args?(place: ServerPlace): string[]
  env?(folder: string): Record<string, string>
  /** Fills the folder. */
  prepare?(folder: string): void
  calls(folder: string): SurfaceCall[]
}

const CHROMIUM = '/usr/bin/chromium-headless-shell'

export const SERVERS: readonly NpmServer[] = [
  {
    name: 'everything',
    package: '@modelcontextprotocol/server-everything',
    program: 'mcp-server-everything',
    calls: () => [
      { tool: 'echo', args: { message: 'Ünïcödé \u2028 9007199254740993' } },
      { tool: 'get-annotated-message', args: { messageType: 'error', includeImage: true } },
      { tool: 'get-resource-links', args: { count: 3 } },
      { tool: 'get-resource-reference', args: { resourceType: 'Blob', resourceId: 2 } },
      { tool: 'get-structured-content', args: { location: 'Chicago' } },
      { tool: 'get-sum', args: { a: 1, b: 2.5 } },
      { tool: 'get-sum', args: { a: 'x' } },
      { tool: 'get-tiny-image' },
      { tool: 'trigger-long-running-operation', args: { duration: 1, steps: 8 } },
      { tool: 'trigger-long-running-operation', args: { duration: 30, steps: 5 }, cancelled: 400 },
      { tool: 'get-roots-list' },
      { tool: 'trigger-elicitation-request' },
      { tool: 'trigger-sampling-request', args: { prompt: 'Hello', maxTokens: 9 } },
      { tool: 'no-such-tool' },
    ],
  },
  {
    name: 'filesystem',
    package: '@modelcontextprotocol/server-filesystem',
    program: 'mcp-server-filesystem',
    args: ({ folder }) => [folder],
    prepare(folder) {
      mkdirSync(join(folder, 'src'))
      writeFileSync(join(folder, 'src/a.txt'), 'one\ntwo\nthree\n')
      writeFileSync(join(folder, 'big.txt'), 'x'.repeat(8 * 1024 ** 2))
      writeFileSync(join(folder, 'pixel.png'), new Uint8Array([0x89, 0x50, 0x4e, 0x47]))
    },
    calls: (folder) => {
      const at = (name: string) => join(folder, name)
      return [
        { tool: 'read_file', args: { path: at('src/a.txt') } },
        { tool: 'read_text_file', args: { path: at('src/a.txt'), head: 1 } },
        { tool: 'read_text_file', args: { path: at('big.txt') } },
        { tool: 'read_media_file', args: { path: at('pixel.png') } },
        { tool: 'read_multiple_files', args: { paths: [at('src/a.txt'), at('none.txt')] } },
        { tool: 'write_file', args: { path: at('b.txt'), content: 'b\u0000\n' } },
        {
          tool: 'edit_file',
          args: { path: at('src/a.txt'), edits: [{ oldText: 'two', newText: '2' }] },
        },
        { tool: 'create_directory', args: { path: at('lib') } },
        { tool: 'list_directory', args: { path: folder } },
        { tool: 'list_directory_with_sizes', args: { path: folder } },
        { tool: 'directory_tree', args: { path: folder } },
        { tool: 'move_file', args: { source: at('b.txt'), destination: at('lib/c.txt') } },
        { tool: 'search_files', args: { path: folder, pattern: '**/*.txt' } },
        { tool: 'list_allowed_directories' },
        { tool: 'read_file', args: { path: '/etc/hostname' } },
      ]
    },
  },
  {
    name: 'memory',
    package: '@modelcontextprotocol/server-memory',
    program: 'mcp-server-memory',
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    calls: () => [
      {
        tool: 'create_entities',
        args: { entities: [{ name: 'ada', entityType: 'person', observations: ['writes'] }] },
      },
      {
        tool: 'create_relations',
        args: { relations: [{ from: 'ada', to: 'ada', relationType: 'knows' }] },
      },
      {
        tool: 'add_observations',
        args: { observations: [{ entityName: 'ada', contents: ['reads'] }] },
      },
      { tool: 'read_graph' },
      { tool: 'search_nodes', args: { query: 'ad' } },
      { tool: 'open_nodes', args: { names: ['ada', 'none'] } },
      { tool: 'delete_entities', args: { entityNames: ['ada'] } },
      { tool: 'add_observations', args: { observations: [{ entityName: 'no', contents: [] }] } },
    ],
  },
  {
    name: 'sequential-thinking',
    package: '@modelcontextprotocol/server-sequential-thinking',
    program: 'mcp-server-sequential-thinking',
    calls: () =>
      [1, 2, 'x'].map((thoughtNumber) => ({
        tool: 'sequentialthinking',
        args: { thought: 'so', nextThoughtNeeded: true, thoughtNumber, totalThoughts: 2 },
      })),
  },
  {
    name: 'postgres',
    package: '@modelcontextprotocol/server-postgres',
    program: 'mcp-server-postgres',
    args: ({ database }) => [database],
    calls: () => [
      { tool: 'query', args: { sql: 'SELECT 1 AS one, NULL AS none' } },
      { tool: 'query', args: { sql: 'SELECT name FROM city ORDER BY name' } },
      { tool: 'query', args: { sql: 'DROP TABLE city' } },
    ],
  },
  {
    name: 'playwright',
    package: '@playwright/mcp',
    program: 'playwright-mcp',
    args: () => ['--headless', '--isolated', '--no-sandbox', '--executable-path', CHROMIUM],
    calls: () => [
      {
        tool: 'browser_navigate',
        args: { url: 'data:text/html,<h1>Shop</h1><button>Buy</button>' },
      },
      { tool: 'browser_snapshot' },
      { tool: 'browser_evaluate', args: { function: '() => document.title + 1' } },
      { tool: 'browser_click', args: { element: 'Buy', target: 'button' } },
      { tool: 'browser_resize', args: { width: 400, height: 300 } },
      { tool: 'browser_tabs', args: { action: 'list' } },
      { tool: 'browser_navigate', args: { url: 'no address' } },
      { tool: 'browser_close' },
    ],
  },
  {
    name: 'mongodb',
    package: 'mongodb-mcp-server',
    program: 'mongodb-mcp-server',
    args: () => ['--telemetry', 'disabled'],
    calls: () => [
      { tool: 'list-connections' },
      { tool: 'list-databases', args: { connectionId: 'none' } },
      {
        tool: 'connect',
        args: { connectionString: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=300' },
      },
      { tool: 'no-such-tool' },
    ],
  },
]
