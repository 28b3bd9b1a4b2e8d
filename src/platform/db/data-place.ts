import type { Config } from '../config/config.ts'

/** An address of PostgreSQL without the account in it: host and name of the database. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Where the data of a server is, for people: its folder, or PostgreSQL and where. */
export function dataPlace({ dataFolder, database }: Pick<Config, 'dataFolder' | 'database'>) {
  return database ? `PostgreSQL at ${placeOf(database.url)}` : dataFolder
}
