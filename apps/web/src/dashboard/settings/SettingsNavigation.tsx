import { NavLink, useNavigate } from 'react-router'

import { LockIcon } from '../../ui/icons.tsx'
import { useAnswer } from '../client/use-answer.ts'
import { mayAs } from '../words/role-words.ts'
import type { SettingsGroup, SettingsSection } from '../address/settings-sections.ts'

type Props = { readonly groups: readonly SettingsGroup[]; readonly chosen: SettingsSection }

/** The pages of Settings: a grouped list at the side, and where there is no side one menu of them all. */
export function SettingsNavigation({ groups, chosen }: Props) {
  const role = useAnswer('sessionMe', {}).data?.role
  const navigate = useNavigate()
  const isLocked = ({ needs }: SettingsSection): boolean => role !== undefined && !mayAs(role, needs)
  return (
    <nav aria-label="Settings" className="self-start lg:sticky lg:top-19">
      <label className="grid gap-1.5 lg:hidden">
        <span className="text-13 font-medium">Settings page</span>
        <select
          value={chosen.path}
          onChange={(event) => void navigate(`/settings/${event.currentTarget.value}`)}
          className="h-10 w-full max-w-sm rounded-control border border-(--free) bg-surface px-2.5 text-16 hover:border-ink-quiet sm:text-14"
        >
          {groups.map(({ name, sections }) => (
            <optgroup key={name} label={name}>
              {sections.map((section) => (
                <option key={section.path} value={section.path}>
                  {section.name}
                  {isLocked(section) ? ` (needs ${section.needs})` : ''}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <div className="grid gap-4 max-lg:hidden">
        {groups.map(({ name, sections }) => (
          <div key={name}>
            <p className="mb-1 px-2.5 text-12 text-ink-quiet">{name}</p>
            <ul>
              {sections.map((section) => (
                <li key={section.path}>
                  <NavLink
                    to={`/settings/${section.path}`}
                    className="flex min-h-8 items-center justify-between gap-2 rounded-control px-2.5 text-13 text-ink-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
                  >
                    {section.name}
                    {isLocked(section) && (
                      <span className="text-ink-quiet" title={`Needs the ${section.needs} role`}>
                        <LockIcon />
                        <span className="sr-only">needs the {section.needs} role</span>
                      </span>
                    )}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}
