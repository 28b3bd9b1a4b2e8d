/** @param {string} words said to screen readers, without moving the focus */
export function say(words) {
  const place = document.getElementById('say')
  if (place) place.textContent = words
}
