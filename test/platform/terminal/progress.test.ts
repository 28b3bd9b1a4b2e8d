import { expect, test } from 'bun:test'
import { remainingTime } from '../../../src/platform/terminal/live-line.ts'
import { onTerminal } from '../../support/on-terminal.ts'

test('a time that goes down has minutes and seconds, and hours where there are some', () => {
  const texts = [-5, 0, 1, 32_000, 60_000, 545_000, 3_729_000].map(remainingTime)
  expect(texts).toEqual(['0:00', '0:00', '0:01', '0:32', '1:00', '9:05', '1:02:09'])
})

test('a long work shows its percent and the time left, and leaves an empty line', async () => {
  const module = `${import.meta.dir}/../../../src/platform/terminal/progress.ts`
  const script = `const { progress } = await import(${JSON.stringify(module)});
    const bar = progress('files', true);
    for (let i = 1; i <= 30; i++) { bar.step(i, 40, 'of \\u001b[31mme'); await Bun.sleep(100) }
    bar.end()`
  const program = [process.execPath, '-e', script]
  const { output } = await onTerminal([], {}, { program, cols: 100 })
  expect(output).toMatch(/\[#+-+\] 7\d % · 0:0[12] left · \d\d of 40 files, of/)
  expect(output).not.toContain('\u001b[31m')
  expect(output).toEndWith('\r\u001b[K')
})
