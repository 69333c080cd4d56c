import { type ActRule, refusing } from './act-context.ts'
import { timeWords } from './words.ts'

/** Nothing begins while a person has stopped acting, here or everywhere. */
export const obeysStopOrders: ActRule = ({ run, stops }) => {
  const order = stops.find(({ cluster }) => cluster === undefined || cluster === run.cluster)
  return refusing(
    'stopped',
    order === undefined
      ? undefined
      : `${order.by} stopped all changes ${order.cluster === undefined ? 'on every cluster' : 'on this cluster'} on ${timeWords(order.at)}: ${order.because} Resume acting first.`,
  )
}
