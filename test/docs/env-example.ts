import { join } from 'node:path'
import { page } from './blocks.ts'

/**
 * `bun run fix` writes `.env.example` from the tables of docs/configuration.md, so that a setting
 * has one text.
 */
const FILE = join(import.meta.dir, '../../.env.example')

const HEAD = `# Every variable with its default, written from docs/configuration.md by "bun run fix". A flag wins over
# a variable, a variable over beckon.toml in the data folder, and that over the default. NAME_FILE
# names a file that holds the value (Docker and systemd secrets). An empty value counts as none.
# An unknown name or a wrong value stops the start.
`

// | variable | (flag) | default | what it is |
const ROW = /^\| `(BECKON_\w+)` \| (?:[^|]+ \| )?([^|]+) \| ([^|]+) \|$/gm
const WIDTH = 98

/** Returns `.env.example` for the text of docs/configuration.md. */
export function envExample(configuration: string): string {
  const settings = [...configuration.matchAll(ROW)].map(([, name = '', cell = '', text = '']) => {
    const [, value] = /^`([^`]*)`$/.exec(cell) ?? []
    const hasOwnDefault = value === undefined && cell !== 'none' && cell !== '–'
    const words = plain(hasOwnDefault ? `${text} Default: ${cell}.` : text)
    return `\n${asComment(words)}\n${name}=${(value ?? '').replace('PORT', '8484')}\n`
  })
  return HEAD + settings.join('')
}

/** Removes the links and backticks of Markdown. */
function plain(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')
}

function asComment(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line) => `# ${line}`).join('\n')
}

if (import.meta.main) await Bun.write(FILE, envExample(await page('docs/configuration.md')))
