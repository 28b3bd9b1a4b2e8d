/**
 * `bun run db:generate [--name NAME] [--custom]`: the next migration of SQLite by drizzle-kit, its
 * counterpart of PostgreSQL, and the modules that embed both.
 */
const steps = [
  [
    'bunx',
    'drizzle-kit',
    'generate',
    '--config',
    'drizzle/drizzle.config.ts',
    ...Bun.argv.slice(2),
  ],
  ['bun', 'drizzle/postgres.ts'],
  ['bun', 'drizzle/embed.ts'],
  ['bunx', 'biome', 'check', '--write', 'drizzle'],
]
for (const step of steps) {
  const { exitCode } = Bun.spawnSync(step, { stdio: ['inherit', 'inherit', 'inherit'] })
  if (exitCode !== 0) process.exit(exitCode)
}
