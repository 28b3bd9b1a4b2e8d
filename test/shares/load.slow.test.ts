// With small amounts; `bun run load` has the large ones.
import '../long/load/load.test.ts'
import '../long/load/storms.test.ts'
