// Below the time a test may take, so that what is missing is said by name.
const PATIENCE_MS = 45_000

/** Waits, on the real clock, until `isSo`; fails when it never becomes so. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('what was waited for never happened')
    await Bun.sleep(5)
  }
}
