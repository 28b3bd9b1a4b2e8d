import type { Meaning } from './values.ts'

/** The name of an environment variable of this program. */
export type Variable = `BECKON_${string}`

/** One setting: its variable, what its text must be, and the value without one. */
export type Setting<T> = { variable: Variable; meaning: Meaning<T>; fallback: T }

export function setting<T>(variable: Variable, meaning: Meaning<T>): Setting<T | undefined>
export function setting<T>(variable: Variable, meaning: Meaning<T>, fallback: T): Setting<T>
export function setting<T>(
  variable: Variable,
  meaning: Meaning<T>,
  fallback?: T,
): Setting<T | undefined> {
  return { variable, meaning, fallback }
}

/** The settings of a feature or channel, declared in its folder and listed in `src/settings.ts`. */
export type SettingGroup<T> = {
  settings: readonly Setting<unknown>[]
  /** Reads all of them. Throws `WrongUsage` that names a wrong one. */
  read(readOne: ReadSetting): T
}

/** Reads one setting. Throws `WrongUsage` that names it if its text has no such meaning. */
type ReadSetting = <T>(setting: Setting<T>) => T

/** The type of the values of a group. */
export type ValuesOf<G> = G extends SettingGroup<infer T> ? T : never

/**
 * Declares settings that belong together. `combine` makes one value of them; it throws `WrongUsage`
 * if they do not go together.
 */
export function settingGroup<V extends object>(settings: Settings<V>): SettingGroup<V>
export function settingGroup<V extends object, T>(
  settings: Settings<V>,
  combine: (values: V) => T,
): SettingGroup<T>
export function settingGroup<V extends object>(
  settings: Settings<V>,
  combine: (values: V) => unknown = (values) => values,
): SettingGroup<unknown> {
  const entries = Object.entries<Setting<unknown>>(settings)
  return {
    settings: entries.map(([, one]) => one),
    read: (readOne) =>
      combine(Object.fromEntries(entries.map(([name, one]) => [name, readOne(one)])) as V),
  }
}

type Settings<V> = { [name in keyof V]: Setting<V[name]> }
