import type { Caller } from '@septet/domain'

/** An admin who sees everything; tests change what matters to them. */
export const ADMIN: Caller = {
  kind: 'account',
  id: 'account:5f1f7c0e-6a4e-4d0b-9c53-6f0f5a1d2e3c',
  party: 'account:5f1f7c0e-6a4e-4d0b-9c53-6f0f5a1d2e3c',
  name: 'admin@septet.local',
  role: 'admin',
  namespaces: undefined,
  clusters: undefined,
  account: { id: '5f1f7c0e-6a4e-4d0b-9c53-6f0f5a1d2e3c', sessionId: undefined, secondFactor: false },
  ip: '127.0.0.1',
}
