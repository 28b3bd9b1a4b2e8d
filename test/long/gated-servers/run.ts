import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster } from '../../support/postgres-cluster.ts'
import { type Comparison, compareServer, type Era } from './compare.ts'
import { installedProgram, SERVERS_FOLDER } from './installed.ts'
import { type NpmServer, SERVERS } from './servers.ts'

const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28']

const names = process.argv.slice(2)
const chosen = SERVERS.filter(({ name }) => names.length === 0 || names.includes(name))
let failed = 0
for (const server of chosen) for (const era of ERAS) failed += await compare(server, era)
process.exit(failed === 0 ? 0 : 1)

/** Prints a row of the table; returns 1 if something differs. */
async function compare(server: NpmServer, era: Era): Promise<number> {
  const program = installedProgram(server.name, server.program)
  if (!existsSync(program)) {
    console.log(`| ${server.name} | SKIPPED, not installed (${server.package}) |`)
    return 0
  }
  await using cluster = server.name === 'postgres' ? await startDatabase() : undefined
  const database = cluster?.url('shop') ?? ''
  const packages = join(SERVERS_FOLDER, server.name, 'node_modules')
  const { version } = JSON.parse(
    readFileSync(join(packages, server.package, 'package.json'), 'utf8'),
  )
  try {
    const done = await compareServer(server, { words: [program], database, era })
    console.log(`| ${server.name} ${version} | ${era} | ${countSteps(done)} |`)
    for (const action of done.questions) console.log(`  asked: ${action.slice(0, 200)}`)
    for (const one of done.differing) console.log(one.slice(0, 2_000))
    return done.differing.length > 0 ? 1 : 0
  } catch (error) {
    const { message } = error as Error
    const isOfEra = !/did not offer pinned protocol version/.test(message)
    console.log(`| ${server.name} ${version} | ${era} | ${isOfEra ? message : 'not spoken'} |`)
    return isOfEra ? 1 : 0
  }
}

function countSteps({ direct, differing, questions }: Comparison): string {
  const calls = direct.filter(({ step }) => step.startsWith('tools/call')).length
  const received = direct.flatMap((step) => step.received).length
  return `${direct.length} | ${calls} | ${received} | ${questions.length} | ${differing.length}`
}

async function startDatabase() {
  const cluster = await startCluster()
  const run = async (database: string, ...statements: string[]) => {
    const sql = new Bun.SQL(cluster.url(database))
    for (const statement of statements) await sql.unsafe(statement)
    await sql.end()
  }
  await run('postgres', 'CREATE DATABASE shop')
  await run('shop', 'CREATE TABLE city (name text)', "INSERT INTO city VALUES ('Oslo'), ('Rom')")
  return cluster
}
