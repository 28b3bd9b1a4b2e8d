import type { Config } from '../config/config.ts'

/** An address of PostgreSQL without its account: host and name of the database. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Where the data of a server is, for people: its folder, or the database in PostgreSQL. */
export function dataPlace({ dataFolder, database }: Pick<Config, 'dataFolder' | 'database'>) {
  return database ? `PostgreSQL at ${placeOf(database.url)}` : dataFolder
}
