/** Its place in the order of arrival, from 0. Throws where it does not arrive, saying why. */
export function arrivalOf(pod: string, arrivals: readonly Named[], list: readonly Named[]): number {
  const arrival = arrivals.findIndex(({ id }) => id === pod)
  if (arrival !== -1) return arrival
  const known = list.some(({ id }) => id === pod)
  if (known) throw new Error(`${pod} is in the list and does not arrive: fewer arrivals are asked for than it holds.`)
  throw new Error(`No pod "${pod}" arrives. Pods are named as in the list, such as ${list[0]?.id}.`)
}

type Named = { readonly id: string }
