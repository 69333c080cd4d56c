import type { FleetChange, Scenario } from '@septet/domain'

/** The scenario that an address tells; what it does not tell is as usual, and what is not a scenario is left out. */
export function readScenario(search: URLSearchParams): Scenario {
  return {
    from: search.get('from') === 'now' ? 'now' : 'week',
    changes: listOf(search.get('changes')).flatMap(readChange).slice(0, 50),
    boards: search.get('boards') === 'any' ? 'any' : 'same',
    sizes: search.get('sizes') === 'fit' ? 'fit' : 'held',
  }
}

/** The address with the scenario in it, in as few letters as it takes: what is as usual is not written. */
export function writeScenario(search: URLSearchParams, scenario: Scenario): URLSearchParams {
  const after = new URLSearchParams(search)
  const parts = {
    from: scenario.from === 'week' ? '' : scenario.from,
    changes: scenario.changes.map(writeChange).join(','),
    boards: scenario.boards === 'same' ? '' : scenario.boards,
    sizes: scenario.sizes === 'held' ? '' : scenario.sizes,
  }
  for (const [name, text] of Object.entries(parts)) {
    if (text === '') after.delete(name)
    else after.set(name, text)
  }
  return after
}

const listOf = (text: string | null): readonly string[] => (text === null || text === '' ? [] : text.split(','))

/** Names may hold anything, the marks between parts among it. */
const escaped = (name: string): string => encodeURIComponent(name).replaceAll('*', '%2A')

function writeChange(change: FleetChange): string {
  const place = [escaped(change.model), escaped(change.pool)]
  if (change.kind === 'add') {
    const price = change.price === null ? '' : String(change.price)
    return ['add', ...place, change.nodes, change.gpusPerNode, price].join('*')
  }
  return [change.kind, ...place, change.kind === 'remove' ? change.nodes : change.price].join('*')
}

function readChange(text: string): FleetChange[] {
  const [kind, ...parts] = text.split('*')
  const [model, pool] = [unescaped(parts[0]), unescaped(parts[1])]
  const amount = Number(parts[2])
  if (model === undefined || model === '' || pool === undefined || !(amount >= 0)) return []
  const place = { model, pool }
  if (kind === 'price') return [{ kind, ...place, price: Math.min(amount, 10_000) }]
  if (!isCount(amount, 20_000)) return []
  if (kind === 'remove') return [{ kind, ...place, nodes: amount }]
  return kind === 'add' ? readAdded({ ...place, nodes: amount }, parts.slice(3)) : []
}

function readAdded(
  place: { readonly model: string; readonly pool: string; readonly nodes: number },
  [size = '', cost = '']: readonly string[],
): FleetChange[] {
  const [gpusPerNode, price] = [Number(size), cost === '' ? null : Number(cost)]
  if (!isCount(gpusPerNode, 64) || (price !== null && !(price >= 0))) return []
  return [{ kind: 'add', ...place, gpusPerNode, price }]
}

const isCount = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most

function unescaped(part: string | undefined): string | undefined {
  try {
    return part === undefined ? undefined : decodeURIComponent(part)
  } catch {
    return undefined
  }
}
