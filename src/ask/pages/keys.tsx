/** @jsxImportSource preact */
const KEYS: Array<[string[], string]> = [
  [['j', 'k'], 'Next and previous'],
  [['Enter'], 'Open, or send the answer that is marked'],
  [['y', 'n'], 'Mark yes or no'],
  [['1', '…', '6'], 'Mark a choice'],
  [['Esc'], 'Mark nothing'],
  [['/'], 'Search'],
  [['g', 'i'], 'Go to the inbox'],
  [['?'], 'This help'],
]

/** The help that `?` opens. */
export function Keys() {
  return (
    <dialog id="keys" class="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div>
            <dt>
              {keys.map((key) => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="small">
          Close
        </button>
      </form>
    </dialog>
  )
}
