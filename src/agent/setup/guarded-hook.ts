import type { Place, Wish } from './client-setup.ts'
import { hasEnv, hookWords, stateOf } from './entries.ts'
import { commandLine } from './program.ts'

/**
 * As `hookWords`, for the event before a tool of clients that take exit code 2 for a no: a shell
 * starts the hook, and says no itself if the hook ends in any way but by its own answer while a
 * scope of the client holds. Without a scope such a call passes.
 */
export function guardedHookWords(
  wish: Pick<Wish, 'program' | 'strict' | 'place'>,
  client: string,
): string[] {
  const words = hookWords(wish, client)
  if (!hasEnv(wish.place)) return words
  return ['/bin/sh', '-c', guard(wish.place, client), 'beckon', ...words]
}

/** As `guardedHookWords`, for clients that pass a line to a shell. */
export function guardedHookLine(...about: Parameters<typeof guardedHookWords>): string {
  return commandLine(guardedHookWords(...about))
}

/**
 * It starts nothing but the hook, because a machine that is full starts nothing else. A signal goes
 * on to the hook, which withdraws its question. The time in a marker is when its scope ends; if the
 * time now is not known, it holds.
 */
function guard(place: Place, client: string): string {
  return [
    'exec 3<&0',
    '"$@" <&3 3<&- & hook=$!',
    'trap "kill -TERM $hook" TERM INT HUP',
    'wait $hook; code=$?',
    'while kill -0 $hook 2>/dev/null; do wait $hook; code=$?; done',
    'case $code in 0|2) exit $code; esac',
    `for scope in ${stateOf(place)}/scope/${client}-*.active; do [ -e "$scope" ] || continue; until=; read -r until < "$scope"`,
    'now=$(date +%s 2>/dev/null)000',
    'case $until$now in *[!0-9]*) ;; *) [ -z "$until" ] || [ "$now" = 000 ] || [ "$until" -gt "$now" ] || continue; esac',
    `echo "${GUARDED}" >&2; exit 2; done`,
    'exit 0',
  ].join('; ')
}

const GUARDED =
  'Beckon: the hook that checks this call could not run, and a scope holds on this machine, so the call did not run. Tell the person; in their terminal, beckon setup --check says more.'
