import { EXIT } from '../platform/command.ts'
import { suggest } from '../platform/did-you-mean.ts'
import { WrongUsage } from '../platform/failure.ts'
import { readOpenArguments } from '../platform/terminal/arguments.ts'
import { say } from '../platform/terminal/terminal.ts'
import { DOCS_PAGES } from './docs-pages.ts'

/**
 * `beckon docs [PAGE]`: prints a page of the documentation as Markdown, for people who have the
 * executable alone; without a page, the first line of each.
 */
export async function docs(args: string[]): Promise<number> {
  const [name, extra] = readOpenArguments(args, {}).operands
  if (extra !== undefined) throw new WrongUsage(`"${extra}" is one argument too many.`)
  if (name !== undefined) {
    say(withoutPaths(await pageText(name)).trimEnd())
    return EXIT.done
  }
  for (const page of Object.keys(DOCS_PAGES)) {
    const title = (await pageText(page)).split('\n')[0]?.replace(/^# /, '')
    say(`beckon docs ${page.padEnd(16)} ${title}`)
  }
  return EXIT.done
}

async function pageText(name: string): Promise<string> {
  const page = Object.hasOwn(DOCS_PAGES, name) ? DOCS_PAGES[name] : undefined
  if (page) return (await page()).default
  const names = Object.keys(DOCS_PAGES)
  throw new WrongUsage(`"${name}" is not one of ${names.join(', ')}${suggest(name, names) || '.'}`)
}

/** A link to a file becomes its text, with the command that prints the page if there is one. */
function withoutPaths(text: string): string {
  return text.replace(
    /!?\[([^\]]*)\]\((?!https?:)([^)]*)\)/g,
    (_, label: string, target: string) => {
      const page = /(?:^|\/)([\w-]+)\.md/.exec(target)?.[1]
      return page !== undefined && Object.hasOwn(DOCS_PAGES, page)
        ? `${label} (beckon docs ${page})`
        : label
    },
  )
}
