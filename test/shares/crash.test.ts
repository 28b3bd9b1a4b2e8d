// A round of what `bun run test:long` does many times.
import '../long/crash/kill.test.ts'
import '../long/crash/storm.test.ts'
import '../long/crash/power-loss.test.ts'
import '../long/crash/full-disk.test.ts'
