// A few inputs for each target; `bun run fuzz` has many.
import '../long/fuzz/fuzz.test.ts'
import '../long/fuzz/rooms.test.ts'
