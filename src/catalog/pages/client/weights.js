import { spread, tenths } from './sum.js'

// Lets a reader move the weights of a score; without this file the table stands as published.

const table = document.querySelector('[data-weights]')
if (table instanceof HTMLTableElement) enhance(table)

/** @param {HTMLTableElement} table */
function enhance(table) {
  const rows = [...table.querySelectorAll('tr[data-key]')].filter((r) => r instanceof HTMLElement)
  const weights = rows.map((row) => Number(row.dataset.weight))
  const inputs = rows.map((row, i) => slider(row, weights[i] ?? 0))
  const result = document.querySelector('[data-result]')
  const reset = document.querySelector('[data-reset]')
  if (!(result instanceof HTMLElement) || !(reset instanceof HTMLButtonElement)) return

  const show = () => {
    const scored = rows.map((row, i) => ({
      key: row.dataset.key ?? '',
      weight: Number(inputs[i]?.value),
      score: Number(row.dataset.score),
    }))
    const sum = spread(scored)
    const most = Math.max(...sum.map(({ basisPoints }) => basisPoints), 1)
    rows.forEach((row, i) => {
      const { basisPoints = 0, parts = 0 } = sum[i] ?? {}
      fill(row, '[data-weight-now]', inputs[i]?.value ?? '')
      fill(row, '[data-share]', (basisPoints / 100).toFixed(2))
      fill(row, '[data-points]', (parts / 1000).toFixed(3))
      draw(row, (100 * basisPoints) / most, Number(row.dataset.score))
    })
    const moved = inputs.some((input, i) => Number(input.value) !== weights[i])
    const all = sum.reduce((points, { parts }) => points + parts, 0)
    fill(table, '[data-sum]', (all / 1000).toFixed(3))
    const mine = tenths(sum, Number(table.dataset.negative))
    const none = scored.every(({ weight }) => weight === 0)
    result.hidden = !moved
    reset.hidden = !moved
    result.textContent = none
      ? 'Without any weight there is no score.'
      : `With your weights: ${(mine / 10).toFixed(1)}. Published: ${table.dataset.published}.`
  }

  for (const input of inputs) input.addEventListener('input', show)
  reset.addEventListener('click', () => {
    inputs.forEach((input, i) => {
      input.value = String(weights[i])
    })
    show()
    inputs[0]?.focus()
  })
  for (const hint of document.querySelectorAll('[data-movable]')) hint.removeAttribute('hidden')
}

/**
 * @param {HTMLElement} row
 * @param {number} weight
 */
function slider(row, weight) {
  const input = document.createElement('input')
  Object.assign(input, { type: 'range', min: '0', max: '40', step: '1', value: String(weight) })
  input.setAttribute('aria-label', `Weight of ${row.dataset.name}`)
  row.querySelector('[data-slider]')?.append(input)
  return input
}

/**
 * @param {Element} place
 * @param {string} selector
 * @param {string} words
 */
function fill(place, selector, words) {
  const element = place.querySelector(selector)
  if (element) element.textContent = words
}

/**
 * @param {Element} row
 * @param {number} width of the track, percent
 * @param {number} score
 */
function draw(row, width, score) {
  const [track, part] = row.querySelectorAll('svg rect')
  track?.setAttribute('width', width.toFixed(1))
  part?.setAttribute('width', ((width * score) / 10).toFixed(1))
}
