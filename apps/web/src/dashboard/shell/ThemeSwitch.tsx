import { THEMES, useTheme, type Theme } from '../../theme/theme-choice.ts'
import { Button } from '../../ui/Button.tsx'
import { MoonIcon, SunIcon, SystemIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/Menu.tsx'

/** Light, dark, or as the system has it. */
export function ThemeSwitch() {
  const [theme, choose] = useTheme()
  const Icon = ICONS[theme]
  return (
    <Menu
      label="Theme"
      value={theme}
      choices={THEMES.map((value) => ({ value, label: WORDS[value] }))}
      onChoose={choose}
    >
      <Button look="quiet" aria-label={`Theme: ${WORDS[theme]}`} className="size-8 px-0">
        <Icon />
      </Button>
    </Menu>
  )
}

const WORDS = { system: 'System', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>
const ICONS = { system: SystemIcon, light: SunIcon, dark: MoonIcon } satisfies Record<Theme, unknown>
