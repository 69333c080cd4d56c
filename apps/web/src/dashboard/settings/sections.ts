import type { Door } from '@septet/contract'

/** The pages below Settings; `path` is the last part of their address. */
export type SettingsSection = {
  readonly path: string
  readonly name: string
  /** Whether only an administrator is answered. */
  readonly admin: boolean
  /** Whether it belongs to accounts that are kept here. */
  readonly embedded: boolean
}

const SECTIONS: readonly SettingsSection[] = [
  { path: 'account', name: 'Account', admin: false, embedded: false },
  { path: 'members', name: 'Members', admin: true, embedded: false },
  { path: 'tokens', name: 'API tokens', admin: false, embedded: false },
  { path: 'audit', name: 'Audit log', admin: true, embedded: false },
  { path: 'outbox', name: 'Outbox', admin: true, embedded: true },
]

/** What there is to set: a hosted project writes its own letters. */
export const settingsSections = (mode: Door['mode'] | undefined): readonly SettingsSection[] =>
  SECTIONS.filter(({ embedded }) => !embedded || mode !== 'hosted')
