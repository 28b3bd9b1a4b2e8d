import { join } from 'node:path'
import { Glob } from 'bun'

const ROOT = join(import.meta.dir, '../..')

/** A fenced block that a test reads: "```json test ask_user" has the words `test`, `ask_user`. */
export type Block = { page: string; language: string; words: string[]; text: string }

/** Every page that people read. */
export async function pages(): Promise<Map<string, string>> {
  const paths = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    ...new Glob('docs/**/*.md').scanSync(ROOT),
  ]
  const texts = paths.sort().map(async (path) => [path, await page(path)] as const)
  return new Map(await Promise.all(texts))
}

export function page(path: string): Promise<string> {
  return Bun.file(join(ROOT, path)).text()
}

/** The blocks whose fence says `test`. */
export async function testedBlocks(language: string): Promise<Block[]> {
  const blocks = [...(await pages())].flatMap(([path, text]) =>
    [...text.matchAll(/^```(\w+) (test\b[^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
      page: path,
      language: String(match[1]),
      words: String(match[2]).split(' '),
      text: String(match[3]),
    })),
  )
  return blocks.filter((block) => block.language === language)
}
