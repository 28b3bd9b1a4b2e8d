import { readdirSync, writeFileSync } from 'node:fs'

/** Writes src/platform/db/migrations.ts, which puts every migration's text into the executable. */
const folder = `${import.meta.dir}/sqlite`
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.slice(0, -4))
  .sort()

const imports = names.map(
  (name, i) => `import m${i} from '../../../drizzle/sqlite/${name}.sql' with { type: 'text' }`,
)
const rows = names.map((name, i) => `  { name: '${name}', sql: m${i} },`)
writeFileSync(
  `${import.meta.dir}/../src/platform/db/migrations.ts`,
  `// Written by drizzle/embed.ts.
${imports.join('\n')}

export const MIGRATIONS: ReadonlyArray<{ name: string; sql: string }> = [
${rows.join('\n')}
]
`,
)
