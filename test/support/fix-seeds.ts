import fc from 'fast-check'
import { SEED } from './seed.ts'

// Runs before the first test of each process (bunfig.toml).
fc.configureGlobal({ seed: SEED })
