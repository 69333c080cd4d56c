import { useSyncExternalStore } from 'react'

import { THEMES, useTheme, type Theme } from '../../theme/theme-choice.ts'
import { MoonIcon, SunIcon, SystemIcon } from '../../ui/icons.tsx'

/** Goes round: as the system, light, dark. Without scripts it is not there, and its place stays empty. */
export function ThemeSwitch() {
  const isAlive = useSyncExternalStore(never, alive, notYet)
  return isAlive ? <Switch /> : <span className={`${PLACE} invisible`} />
}

function Switch() {
  const [theme, choose] = useTheme()
  const Icon = ICONS[theme]
  const next = after(theme)
  return (
    <button
      type="button"
      onClick={() => choose(next)}
      title={`Theme: ${WORDS[theme]}`}
      aria-label={`Theme: ${WORDS[theme]}. Change to ${WORDS[next]}`}
      className={`${PLACE} text-ink-soft transition-colors hover:bg-sunken hover:text-ink`}
    >
      <Icon />
    </button>
  )
}

const PLACE = 'inline-flex size-9 items-center justify-center rounded-control'
const WORDS = { system: 'as the system', light: 'light', dark: 'dark' } satisfies Record<Theme, string>
const ICONS = { system: SystemIcon, light: SunIcon, dark: MoonIcon } satisfies Record<Theme, unknown>

const after = (theme: Theme): Theme => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'

const never = () => () => {}
const alive = () => true
const notYet = () => false
