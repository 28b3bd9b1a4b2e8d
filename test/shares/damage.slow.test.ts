// A round of what `bun run test:long` does many times.
import '../long/crash/spoiled.test.ts'
import '../long/crash/spoiled-page.test.ts'
import '../long/crash/mid-delivery.test.ts'
