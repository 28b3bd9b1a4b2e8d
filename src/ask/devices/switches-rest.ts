import { personRoute } from '../rest/route.ts'
import { changeSwitches, readSwitches } from './own-switches.ts'
import { SwitchChanges, Switches } from './switches.ts'

export const getSwitches = personRoute(
  {
    method: 'GET',
    path: '/switches',
    summary: 'What reaches your own devices, sort by sort; true: it gets through.',
    result: Switches,
  },
  (deps, { person }) => readSwitches(deps, person),
)

export const patchSwitches = personRoute(
  {
    method: 'PATCH',
    path: '/switches',
    summary: 'Switch some sorts on or off for your own devices; the others stay.',
    input: SwitchChanges,
    result: Switches,
  },
  (deps, { person, input }) => changeSwitches(deps, person, input),
)
