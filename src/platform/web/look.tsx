/** @jsxImportSource preact */
import { Icon, type IconName } from './icon.tsx'

/** How a state is shown; without an icon it pulses, because somebody or something is waiting. */
export type Look = {
  tone: 'wait' | 'good' | 'calm' | 'bad'
  icon: IconName | undefined
  word: string
}

/** A state as icon and word; the colour only repeats it. */
export function StateMark({ look: { tone, icon, word } }: { look: Look }) {
  return (
    <span class={`status ${tone}`}>
      <Sign icon={icon} />
      {word}
    </span>
  )
}

/** A state as its icon alone, for places that show the word elsewhere. */
export function StateDot({ look: { tone, icon } }: { look: Look }) {
  return (
    <span class={`dot ${tone}`}>
      <Sign icon={icon} />
    </span>
  )
}

function Sign({ icon }: Pick<Look, 'icon'>) {
  return icon ? <Icon name={icon} /> : <span class="pulse" />
}
