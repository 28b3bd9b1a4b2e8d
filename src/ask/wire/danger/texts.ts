import type { Found } from './rows.ts'
import { type Source, type Span, spanIn } from './source.ts'

type TextRow = readonly [shape: RegExp, why: string]

const TABLES = 'This deletes tables or whole databases.'
const ROWS = 'This deletes rows of a database.'
const FILES = 'This deletes files without a way back.'

/** What is recognised by its words, in whatever command, code or sentence it stands. */
const ROWS_OF_TEXT: readonly TextRow[] = [
  [
    /\b(drop|truncate)\s+(if\s+exists\s+)?(table|database|schema|index|view|user|role|tablespace|materialized|collection|keyspace)\b/gi,
    TABLES,
  ],
  [/\bTRUNCATE\s+["`\w]/g, TABLES],
  [/\balter\s+table\b[^;]{0,200}\bdrop\b/gi, 'This deletes a column or a rule of a table.'],
  [/\bdelete\s+from\s+["`\w.[\]]+(?![^;]*\bwhere\b)/gi, 'This deletes every row of a table.'],
  [/\bdelete\s+from\b/gi, ROWS],
  [/\bupdate\s+["`\w.[\]]+\s+set\b(?![^;]*\bwhere\b)/gi, 'This changes every row of a table.'],
  [/\b(dropDatabase|deleteMany|dropCollection)\s*\(/g, TABLES],
  [
    /\b(shutil\.rmtree|os\.(remove|unlink|rmdir|removedirs)|fs\.(promises\.)?(rm|rmSync|rmdir|rmdirSync|unlink|unlinkSync)|Deno\.remove|FileUtils\.rm\w*|File\.delete|rmtree)\s*\(/g,
    FILES,
  ],
  [
    /\b(requests|httpx|axios)\.(post|put|patch|delete)\s*\(/g,
    'This sends data to another machine.',
  ],
  [
    /(?<![\w:])([\w:]+)\s*\(\s*\)\s*\{[^}]{0,80}\1\s*\|\s*\1\s*&/g,
    'This starts copies of itself until the machine stands still.',
  ],
  [/>\s*\/dev\/(sd|nvme|disk|hd|vd|mmcblk|mem|rdisk)\w*/g, 'This overwrites a disk.'],
  [/\/dev\/(tcp|udp)\/[\w.]+/g, 'This opens a connection that data may leave through.'],
  [/\bformat\s+[a-z]:/gi, 'This overwrites a disk.'],
  [
    /\b(iwr|irm|invoke-webrequest|invoke-restmethod|curl)\b[^\n|;]{0,400}\|\s*(iex|invoke-expression)\b/gi,
    'This runs what is downloaded, unread.',
  ],
  [/\b(iex|invoke-expression)\b/gi, 'This runs text that is not shown as a command.'],
  [
    /\b(format|erase|wipe|destroy|delete|drop|purge)\s+(the\s+|our\s+|all\s+|every\s+)?(\w+\s+)?(disk|drive|database|volume|bucket|cluster|namespace|backups?)\b/gi,
    'This deletes what may not be kept anywhere else.',
  ],
  [
    /\bforce[- ]push(es|ed)?\b/gi,
    'This overwrites history on the server: commits there may be lost.',
  ],
]

/** What the words of a text say, whatever else it is. */
export function dangersOfText(source: Source): Found[] {
  const text = source.text.replace(/\/\*[\s\S]{0,200}?\*\//g, (comment) =>
    ' '.repeat(comment.length),
  )
  return ROWS_OF_TEXT.flatMap(([shape, why]) => {
    const parts = [...text.matchAll(shape)].map(
      ({ 0: found, index }): Span => spanIn(source, index, index + found.length),
    )
    return parts.length > 0 ? [{ why, parts }] : []
  })
}
