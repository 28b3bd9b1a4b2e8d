/** The file that policy and rules were last applied from. */
export type PolicyOrigin = {
  /** Its name, as whoever applied it said. */
  name: string
  /** The digest of what is in force since then: another one now means that something changed. */
  digest: string
  at: number
  /** Who applied it; undefined: a program with the rights of the server. */
  by?: string
  because?: string
  commit?: string
  /** The server reads it from its own disk, and again whenever it changes. */
  isWatched?: true
}
