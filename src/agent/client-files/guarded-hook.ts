import type { InstallRequest, Place } from './client-setup.ts'
import { hasEnv, hookWords, stateOf } from './entries.ts'
import { commandLine } from './program.ts'

/** Differences between clients. */
type Guard = {
  /** The event, for clients whose input does not name it. */
  event?: string
  /** Clients that start the same hook: a scope of any of them counts. */
  clients?: readonly string[]
  /** The refusal that the client reads from standard output; without it exit code 2 says so. */
  answer?(reason: string): object
  /** The client takes a no from the answer alone, and exit code 2 for a fault. */
  exitsWell?: true
  /** Without a scope the client is told that the hook failed, as if nothing stood between them. */
  failsFreely?: true
}

/**
 * As `hookWords`, for the event before a tool: a shell starts the hook, and says no itself if the
 * hook ends in any way but by its own answer while a scope of the client holds. Without a scope such
 * a call passes.
 */
export function guardedHookWords(
  request: Pick<InstallRequest, 'program' | 'strict' | 'place'>,
  client: string,
  how: Guard = {},
): string[] {
  const words = hookWords(request, client, how.event)
  if (!hasEnv(request.place)) return words
  return ['/bin/sh', '-c', guard(request.place, { clients: [client], ...how }), 'beckon', ...words]
}

/** As `guardedHookWords`, for clients that pass a line to a shell. */
export function guardedHookLine(...about: Parameters<typeof guardedHookWords>): string {
  return commandLine(guardedHookWords(...about))
}

/**
 * Writes the guard, which starts nothing but the hook, because a machine that is full starts
 * nothing else. A signal goes on to the hook, which withdraws its question. The time in a marker is
 * when its scope ends; if the time now is not known, it holds.
 */
function guard(place: Place, how: Guard & { clients: readonly string[] }): string {
  const markers = how.clients.map((client) => `${stateOf(place)}/scope/${client}-*.active`)
  return [
    'exec 3<&0',
    '"$@" <&3 3<&- & hook=$!',
    'trap "kill -TERM $hook" TERM INT HUP',
    'wait $hook; code=$?',
    'while kill -0 $hook 2>/dev/null; do wait $hook; code=$?; done',
    'case $code in 0|2) exit $code; esac',
    `for scope in ${markers.join(' ')}; do [ -e "$scope" ] || continue; until=; read -r until < "$scope"`,
    'now=$(date +%s 2>/dev/null)000',
    'case $until$now in *[!0-9]*) ;; *) [ -z "$until" ] || [ "$now" = 000 ] || [ "$until" -gt "$now" ] || continue; esac',
    `${refusal(how)}; done`,
    how.failsFreely ? 'exit $code' : 'exit 0',
  ].join('; ')
}

function refusal({ answer, exitsWell }: Guard): string {
  const printed = answer ? [`echo ${commandLine([JSON.stringify(answer(GUARDED))])}`] : []
  const ending = exitsWell ? ['exit 0'] : [`echo "${GUARDED}" >&2`, 'exit 2']
  return [...printed, ...ending].join('; ')
}

/** The text that the model reads in place of the answer of the hook. */
export const GUARDED =
  'Beckon: the hook that checks this call could not run, and a scope holds on this machine, so the call did not run. Tell the person; in their terminal, beckon setup --check says more.'
