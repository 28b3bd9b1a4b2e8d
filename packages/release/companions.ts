import { join } from 'node:path'
import { COMMANDS } from '../../src/cli/commands.ts'
import { completionScript } from '../../src/cli/completion.ts'
import { type Entry, file } from './archive.ts'
import { manPage } from './man-page.ts'
import { type Package, runtimeLicence } from './packages.ts'

const ROOT = join(import.meta.dir, '../..')

/** The files beside the executable, whichever way it comes. */
export type Companions = {
  licence: string
  thirdParty: string
  manual: string
  completions: Record<'bash' | 'zsh' | 'fish', string>
  /** The unit of systemd, as docs/ops has it. */
  unit: string
  changelog: string
}

/** Everything beside an executable that has these packages in it. */
export async function companionsOf(
  packages: readonly Package[],
  version: string,
): Promise<Companions> {
  const text = (path: string) => Bun.file(join(ROOT, path)).text()
  const completion = (shell: string) => `${completionScript(shell, COMMANDS)}\n`
  return {
    licence: await text('LICENSE'),
    thirdParty: thirdPartyLicences(packages, runtimeLicence(ROOT)),
    manual: manPage(COMMANDS, version),
    completions: {
      bash: completion('bash'),
      zsh: completion('zsh'),
      fish: completion('fish'),
    },
    unit: await text('docs/ops/beckon.service'),
    changelog: await text('CHANGELOG.md'),
  }
}

/** They as they lie in an archive. */
export function companionFiles({ licence, thirdParty, manual, completions, unit }: Companions) {
  const files: Entry[] = [
    file('LICENSE', licence),
    file('THIRD-PARTY-LICENSES', thirdParty),
    file('beckon.1', manual),
    file('beckon.service', unit),
    file('completions/beckon.bash', completions.bash),
    file('completions/_beckon', completions.zsh),
    file('completions/beckon.fish', completions.fish),
  ]
  return files
}

const RULE = '-'.repeat(80)

/** The licences of all packages in the executable, and of the runtime. */
function thirdPartyLicences(packages: readonly Package[], runtime: string): string {
  const texts = packages.map(({ name, version, licence, texts, homepage }) => {
    const missing = `The package states ${licence} and comes without a text of it.`
    const head = [`${name} ${version}: ${licence}`, ...(homepage ? [homepage] : [])]
    return [...head, '', ...(texts.length > 0 ? texts : [missing])].join('\n')
  })
  const bun = `bun ${Bun.version}\n\n${runtime}`
  return `${[...texts, bun].join(`\n\n${RULE}\n\n`)}\n`
}
