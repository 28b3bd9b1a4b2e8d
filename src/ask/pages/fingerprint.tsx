/** @jsxImportSource preact */

/** Six digits in two groups, which is how people compare them. */
export function Fingerprint({ digits }: { digits: string }) {
  return (
    <p class="fingerprint">
      {digits.slice(0, 3)}
      <span aria-hidden="true"> </span>
      {digits.slice(3)}
    </p>
  )
}
