/** What a person is asked about although no scope says so; `names` are what would be lost. */
export type Stake = { says: string; names: string[] }
