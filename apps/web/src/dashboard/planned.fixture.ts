import type { Outcome } from '../api.ts'
import { at } from './figures.fixture.ts'

type State = Outcome<'plansMake'>

/** A plan that is done, as the server tells it. */
export const planned = (result: State['result']): State => ({
  id: '00000000-0000-4000-8000-000000000001',
  state: result === null ? 'running' : 'done',
  ahead: 0,
  done: 0,
  of: 0,
  askedAt: at(4),
  problem: null,
  result,
})
