import type { Watched } from './watchdog.ts'

/** No input takes longer, however busy the machine; nobody's patience is tested by less. */
const PATIENCE_MS = 30_000
const WORDS_MOST = 64 * 1024

export type Watch = Disposable & {
  /** What is tried from now on, for the words of the watchdog. */
  about(text: string): void
  /** One more input begins. */
  begins(): void
  /** Nothing is being tried. */
  rests(): void
}

/** Ends the process, with the words of `about`, when an input holds the event loop too long. */
export function watch(): Watch {
  const counts = new SharedArrayBuffer(8)
  const words = new SharedArrayBuffer(WORDS_MOST)
  const numbers = new Int32Array(counts)
  const bytes = new Uint8Array(words)
  const worker = new Worker(new URL('./watchdog.ts', import.meta.url).href)
  worker.postMessage({ counts, words, patienceMs: PATIENCE_MS } satisfies Watched)
  let count = 0
  return {
    about(text) {
      const { written } = new TextEncoder().encodeInto(text, new Uint8Array(WORDS_MOST))
      bytes.set(new TextEncoder().encode(text).subarray(0, written))
      Atomics.store(numbers, 1, written)
    },
    begins() {
      count = (count % 2_000_000_000) + 1
      Atomics.store(numbers, 0, count)
    },
    rests: () => void Atomics.store(numbers, 0, 0),
    [Symbol.dispose]: () => worker.terminate(),
  }
}
