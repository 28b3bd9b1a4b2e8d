import { expect, test } from 'bun:test'
import { labelOf } from '../../../src/ask/subscribers/model/subscriber.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Version/18.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.0 Safari/605.1.15`,
    'Safari on Mac',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/140.0 Safari/537.36`,
    'Chrome on Mac',
  ],
  // Browsers that are not known say Safari as well.
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Version/18.0 Safari/605.1.15`, 'Linux'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/140.0 Safari/537.36`, 'Linux'],
  ['', 'Browser'],
])('%s is called %s', (userAgent, label) => {
  expect(labelOf('browser', userAgent)).toBe(label)
})
