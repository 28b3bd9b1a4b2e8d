/** @jsxImportSource preact */

import { Prose } from '../marked.tsx'
import { type Rendering, type Values, wordsOf } from './rendering.ts'

/** An amount with its currency. */
export const money: Rendering = {
  parts(values) {
    const currency = Object.keys(values).find(
      (name) => wordsOf(name).includes('currency') && codeOf(values[name]) !== undefined,
    )
    const amounts = Object.keys(values).filter((name) => isAmount(name, values[name]))
    const [amount] = amounts
    // Of several, nobody knows which is meant.
    return currency && amount && amounts.length === 1 ? [[amount, currency]] : []
  },
  Show({ values, names: [amount = '', currency = ''] }) {
    return (
      <b class="money">
        <Prose text={wordsFor(values, amount, codeOf(values[currency]) ?? '')} />
      </b>
    )
  },
}

const AMOUNTS = ['amount', 'price', 'total', 'sum', 'refund', 'cost', 'fee']

function isAmount(name: string, value: unknown): boolean {
  const isNumber = typeof value === 'number' || /^-?\d{1,15}(\.\d{1,8})?$/.test(String(value))
  return isNumber && wordsOf(name).some((word) => AMOUNTS.includes(word))
}

function codeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : undefined
}

/** The number as it is, with its currency; where its name says cents, what that is. */
function wordsFor(values: Values, name: string, currency: string): string {
  const value = values[name] as number | string
  const isCents = wordsOf(name).some((word) => ['cents', 'cent', 'minor'].includes(word))
  const digits = digitsOf(currency)
  if (!isCents || digits !== 2) return `${grouped(padded(String(value), digits))} ${currency}`
  const whole = (Number(value) / 100).toFixed(2)
  return `${grouped(whole)} ${currency} (${value} in cents)`
}

function digitsOf(currency: string): number | undefined {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits
}

/** `12.5` as `12.50`; a whole number stays as it is, for its unit may be cents. */
function padded(text: string, digits = 0): string {
  const [whole = '', rest] = text.split('.')
  return rest === undefined ? text : `${whole}.${rest.padEnd(digits, '0')}`
}

function grouped(digits: string): string {
  const [whole = '', rest] = digits.split('.')
  const parts = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return rest === undefined ? parts : `${parts}.${rest}`
}
