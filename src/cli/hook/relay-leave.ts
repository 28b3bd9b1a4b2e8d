// A person who answers at the terminal and one who looks at a phone are told soon enough.
const LOOK_MS = 500

/** Ends with the hook itself, with the client that started it, or once `isOpen` is false. */
export function watchTerminal(
  ended: AbortSignal,
  isOpen: () => boolean,
): Disposable & { signal: AbortSignal } {
  const left = new AbortController()
  const parent = process.ppid
  // Whoever loses its parent is given to another.
  const timer = setInterval(() => {
    if (process.ppid !== parent || !isOpen()) left.abort()
  }, LOOK_MS)
  return {
    signal: AbortSignal.any([ended, left.signal]),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
