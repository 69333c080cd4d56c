import type { WaitStretch } from './waits.ts'

/** A whole wait, from creation to binding, or to when it was last seen where it goes on. */
export type PastWait = Pick<WaitStretch, 'namespace' | 'asks' | 'from' | 'to' | 'over'>
