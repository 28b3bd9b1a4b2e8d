import { closeHouse } from './house.ts'
import { TARGETS } from './targets.ts'
import { type Tried, tryTarget } from './try-target.ts'
import { watch } from './watch.ts'

const HELP = `bun run fuzz [NAME…]   tries every parser and endpoint with inputs that nobody thought of

  NAME            only targets whose name contains it
  --list          their names
  --help          this

Environment:
  FUZZ_RUNS       inputs for each target (100000 for what only reads, 2000 for what a server answers)
  FUZZ_SECONDS    no new input for a target after so many seconds (60)
  FUZZ_SEED       draws the same inputs again; with it, an input that never ends is shown

Each target is a line: inputs tried, the share that was taken and refused, the slowest input, how much
memory the process took meanwhile, the seed. The exit code is 1 when something did not hold; the
smallest input that shows it is printed.`

const RUNS = { parser: 100_000, endpoint: 2_000 }
const SECONDS = 60

const args = process.argv.slice(2)
if (args.includes('--help')) {
  console.log(HELP)
  process.exit(0)
}
const wanted = TARGETS.filter(
  ({ name }) => args.length === 0 || args.some((arg) => arg === '--list' || name.includes(arg)),
)
if (args.includes('--list')) {
  for (const { name, kind } of wanted) console.log(`${kind.padEnd(8)} ${name}`)
  process.exit(0)
}
if (wanted.length === 0) {
  console.error(`No target is called like ${args.join(' or ')}; --list names them.`)
  process.exit(2)
}

function numberIn(name: string): number | undefined {
  const text = process.env[name]
  if (text === undefined || text === '') return undefined
  if (/^-?\d{1,10}$/.test(text)) return Number(text)
  console.error(`${name} must be a whole number, not "${text}".`)
  return process.exit(2)
}

const limits = { runs: numberIn('FUZZ_RUNS'), seconds: numberIn('FUZZ_SECONDS') }
const fixed = numberIn('FUZZ_SEED')
const seed = fixed ?? Math.floor(Math.random() * 2 ** 31)
const failures: Tried[] = []
let inputs = 0
{
  using dog = watch()
  for (const target of wanted) {
    const runs = limits.runs ?? RUNS[target.kind]
    const seconds = limits.seconds ?? SECONDS
    const budget = { runs, seconds, seed, weighs: true, tellInputs: fixed !== undefined }
    const tried = await tryTarget(target, budget, dog)
    console.log(line(tried))
    inputs += tried.inputs
    if (tried.failure === undefined) continue
    failures.push(tried)
    console.log(tried.failure)
  }
}
await closeHouse()
console.log(
  `${wanted.length} targets, ${inputs.toLocaleString('en')} inputs, seed ${seed}: ${failures.length} found`,
)
for (const { name } of failures) console.log(`again: FUZZ_SEED=${seed} bun run fuzz '${name}'`)
process.exit(failures.length === 0 ? 0 : 1)

function line({ name, inputs, taken, refused, ms, slowestMs, grownMiB, failure }: Tried): string {
  const share = (count: number) => `${Math.round((100 * count) / Math.max(1, taken + refused))} %`
  return [
    failure === undefined ? 'holds' : 'FOUND',
    name,
    `${inputs.toLocaleString('en')} inputs in ${(ms / 1_000).toFixed(1)} s`,
    `${share(taken)} taken, ${share(refused)} refused`,
    `slowest ${slowestMs.toFixed(0)} ms`,
    `${grownMiB >= 0 ? '+' : ''}${grownMiB.toFixed(0)} MiB`,
  ].join(' | ')
}
