import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import type { GroupDeps } from '../groups.ts'
import type { GroupId } from '../model/group.ts'
import { groupHref, groupPaths } from '../paths.ts'
import { showGroup, submitGroup, submitRemoveGroup } from './group.tsx'
import { showGroups, submitNewGroup } from './groups.tsx'

export function groupPages(deps: GroupDeps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', groupPaths.groups, showGroups),
    signedInPage('POST', groupPaths.groups, submitNewGroup, 'people'),
    signedInPage('GET', groupPaths.group, showGroup),
    signedInPage('POST', groupPaths.group, submitGroup, 'people'),
    redirectTo(groupPaths.remove, (id) => groupHref.group(id as GroupId)),
    signedInPage('POST', groupPaths.remove, submitRemoveGroup, 'people'),
  ])
}
