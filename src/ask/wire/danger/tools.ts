const DELETES = 'This tool deletes something.'
const PUBLISHES = 'This tool publishes or deploys something.'
const CHANGES = 'This tool changes running infrastructure.'
const SENDS = 'This tool sends something to others.'
const PAYS = 'This tool moves money.'

/** What the name of a tool says that it does, by its verbs. */
const VERBS: readonly (readonly [verbs: string, why: string])[] = [
  [
    'delete remove destroy drop purge wipe erase truncate uninstall revoke unpublish reset',
    DELETES,
  ],
  ['publish release deploy merge promote', PUBLISHES],
  ['terminate provision reboot restart shutdown rollback scale', CHANGES],
  ['send email mail sms tweet reply forward upload share invite post', SENDS],
  ['pay transfer purchase charge refund buy checkout', PAYS],
]
const WHY = new Map(VERBS.flatMap(([verbs, why]) => verbs.split(' ').map((verb) => [verb, why])))

/** Why a call of this tool deserves a second look, by its name: `mcp__github__delete_repo`. */
export function whyTool(name: string): string | undefined {
  const own = name.slice(name.lastIndexOf('__') + 1)
  const words =
    own
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.map((word) => WHY.get(word)).find((why) => why !== undefined)
}
