import { expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { judgeCall } from '../../../src/agent/hook/judge-call.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'

type Judged = Parameters<typeof judgeCall>

const PATTERNS = [
  ...['keys', 'keys/', '/keys', './keys', 'keys/*', 'keys/**', 'keys/deep', '/keys/*', './keys/*'],
  ...['src/keys', '/src/keys', './src/keys', 'src/keys/', 'src/keys/*', 'src/k*', 'k*', 's*/keys'],
  ...['*/keys', '*/keys/*', '**/keys', '*.pem', 'deep', 'key', 'src', '../keys', '!keys', '\\keys'],
]
const SOURCES = ['src', 'src/', './src', '.', './']
const PROGRAMS: Record<string, (pattern: string, source: string) => string> = {
  tar: (pattern, source) => `tar --exclude=${pattern} -cf old/out.tar ${source}`,
  rsync: (pattern, source) => `rsync -a --exclude=${pattern} ${source} old/out`,
  zip: (pattern, source) => `zip -qr old/out.zip ${source} -x ${pattern}`,
}

// What a copy holds, by name.
const LISTED = `{ tar tf old/out.tar; unzip -Z1 old/out.zip; find old/out; } 2>/dev/null`

for (const [program, write] of Object.entries(PROGRAMS)) {
  test.skipIf(Bun.which(program) === null || (program === 'zip' && Bun.which('unzip') === null))(
    `what ${program} copies in spite of an exclusion is never judged as left out`,
    () => {
      using world = hookWorld()
      for (const path of ['src/keys/deep/prod.pem', 'src/lib/a.ts', 'old/kept']) world.write(path)
      const { project } = world
      const kept = {
        contract: contract({ allowedPaths: ['old/**'], offLimitsPaths: ['**/*.pem'] }),
        widened: [],
        roots: [project],
      }
      const within: string[] = []
      for (const pattern of PATTERNS) {
        for (const source of SOURCES) {
          const command = write(`'${pattern}'`, source)
          const call = { cwd: project, roots: [project], touches: [], command }
          const judged = judgeCall(
            { call, own: {} } as unknown as Judged[0],
            kept as unknown as Judged[1],
          )
          if (judged.is !== 'within') continue
          within.push(command)
          const run = (line: string) => Bun.spawnSync(['bash', '-c', line], { cwd: project })
          run(command)
          expect([command, run(LISTED).stdout.toString()]).toEqual([
            command,
            expect.not.stringContaining('.pem'),
          ])
          for (const name of readdirSync(join(project, 'old')).filter((one) => one !== 'kept')) {
            rmSync(join(project, 'old', name), { recursive: true })
          }
        }
      }
      // It is not that everything is refused.
      expect(within.length).toBeGreaterThan(5)
    },
    60_000,
  )
}
