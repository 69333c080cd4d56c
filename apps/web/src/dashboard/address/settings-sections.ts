import type { SignInInfo } from '@septet/contract'
import type { Role } from '@septet/domain'

/** The pages below Settings; `path` is the last part of their address. */
export type SettingsSection = {
  readonly path: string
  readonly name: string
  /** What a caller must be, at least, to be answered there. */
  readonly needs: Role
  /** Whether it belongs to accounts that are kept here. */
  readonly embedded?: true
}

export type SettingsGroup = { readonly name: string; readonly sections: readonly SettingsSection[] }

const GROUPS: readonly SettingsGroup[] = [
  {
    name: 'You',
    sections: [
      { path: 'account', name: 'Account', needs: 'viewer' },
      { path: 'tokens', name: 'API tokens', needs: 'viewer' },
    ],
  },
  {
    name: 'Clusters and data',
    sections: [
      { path: 'clusters', name: 'Clusters', needs: 'viewer' },
      { path: 'prices', name: 'Prices', needs: 'viewer' },
      { path: 'tenants', name: 'Tenants', needs: 'admin' },
      { path: 'policies', name: 'Policies', needs: 'viewer' },
      { path: 'acting', name: 'What Septet may do', needs: 'viewer' },
      { path: 'agents', name: 'Agents', needs: 'viewer' },
      { path: 'retention', name: 'Data retention', needs: 'operator' },
      { path: 'notifications', name: 'Notifications', needs: 'operator' },
      { path: 'reports', name: 'Scheduled reports', needs: 'admin' },
    ],
  },
  {
    name: 'People',
    sections: [
      { path: 'members', name: 'Members', needs: 'admin' },
      { path: 'audit', name: 'Audit log', needs: 'admin' },
      { path: 'outbox', name: 'Outbox', needs: 'admin', embedded: true },
    ],
  },
  {
    name: 'Septet',
    sections: [
      { path: 'status', name: 'Status', needs: 'operator' },
      { path: 'about', name: 'About', needs: 'viewer' },
    ],
  },
]

/** What there is to set, by group: a hosted project writes its own letters. */
export const settingsGroups = (mode: SignInInfo['mode'] | undefined): readonly SettingsGroup[] =>
  GROUPS.map(({ name, sections }) => ({
    name,
    sections: sections.filter(({ embedded }) => embedded !== true || mode !== 'hosted'),
  }))
