import { useUrlChoice } from '../address/url-state.ts'
import { GROUPINGS, type Grouping } from './fleet-groups.ts'

type View = 'map' | 'table'
/** In which order nodes stand on the map. */
export type NodeOrder = 'name' | 'worst'

/** What of the fleet is shown and how; all of it stands in the address. */
export type FleetChoice = {
  readonly view: View
  readonly setView: (view: View) => void
  readonly group: Grouping
  readonly setGroup: (group: Grouping) => void
  readonly order: NodeOrder
  readonly setOrder: (order: NodeOrder) => void
  readonly show: string | undefined
  readonly setShow: (show: string) => void
  readonly search: string
  readonly setSearch: (search: string) => void
}

export function useFleetChoice(): FleetChoice {
  const [view, setView] = useUrlChoice('view')
  const [group, setGroup] = useUrlChoice('group')
  const [order, setOrder] = useUrlChoice('order')
  const [show, setShow] = useUrlChoice('show')
  const [search = '', setSearch] = useUrlChoice('q')
  return {
    view: view === 'table' ? 'table' : 'map',
    // What is shown without being asked for need not stand in the address.
    setView: (next) => setView(next === 'map' ? undefined : next),
    group: GROUPINGS.find((each) => each === group) ?? 'node',
    setGroup: (next) => setGroup(next === 'node' ? undefined : next),
    order: order === 'worst' ? 'worst' : 'name',
    setOrder: (next) => setOrder(next === 'name' ? undefined : next),
    show,
    setShow,
    search,
    setSearch: (next) => setSearch(next, { replace: true }),
  }
}
