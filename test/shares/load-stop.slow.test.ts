// With small amounts; `bun run load stop` has the large ones.
import '../long/load/stop.test.ts'
import '../long/load/files.test.ts'
