// Only loaded by previews: shows saved changes without a key press.

const EVERY_MS = 1000
const currentState = document.querySelector('.draft')?.getAttribute('data-state')

async function look() {
  if (document.hidden) return
  const response = await fetch('/preview-state').catch(() => undefined)
  if (!response?.ok) return
  const { state } = await response.json()
  if (state && state !== currentState) location.reload()
}

setInterval(look, EVERY_MS)
document.addEventListener('visibilitychange', look)
