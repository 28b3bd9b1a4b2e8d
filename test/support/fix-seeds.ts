import fc from 'fast-check'
import { SEED } from './seed.ts'
import { isWide } from './share.ts'

// Runs before the first test of each process (bunfig.toml).
fc.configureGlobal({ seed: SEED, numRuns: isWide ? 100 : 25 })
