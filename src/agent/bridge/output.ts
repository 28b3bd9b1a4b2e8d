/** Standard output, for lines that are sent without waiting for whoever reads them. */
export type Output = { write(line: string): void }

/** `onBroken` is called when nobody reads any more. */
export function openOutput(onBroken: () => void): Output {
  const sink = Bun.stdout.writer()
  let isBroken = false

  function broken() {
    if (isBroken) return
    isBroken = true
    onBroken()
  }

  return {
    write(line) {
      if (isBroken) return
      try {
        // Both may fail later, when the pipe is broken.
        Promise.all([sink.write(`${line}\n`), sink.flush()]).catch(broken)
      } catch {
        broken()
      }
    },
  }
}
