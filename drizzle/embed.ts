import { readdirSync, writeFileSync } from 'node:fs'

/** Writes the modules that put every migration's text into the executable. */
embed('sqlite', 'src/platform/db/migrations.ts', '../../..')
embed('postgres', 'src/platform/db/postgres/migrations.ts', '../../../..')

function embed(dialect: string, file: string, root: string) {
  const names = readdirSync(`${import.meta.dir}/${dialect}`)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -4))
    .sort()
  const imports = names.map(
    (name, i) => `import m${i} from '${root}/drizzle/${dialect}/${name}.sql' with { type: 'text' }`,
  )
  const rows = names.map((name, i) => `  { name: '${name}', sql: m${i} },`)
  writeFileSync(
    `${import.meta.dir}/../${file}`,
    `// Written by drizzle/embed.ts.
${imports.join('\n')}

export const MIGRATIONS: ReadonlyArray<{ name: string; sql: string }> = [
${rows.join('\n')}
]
`,
  )
}
