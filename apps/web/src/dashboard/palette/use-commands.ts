import { useNavigate, useSearchParams } from 'react-router'

import { useAuth } from '../../session/auth-context.ts'
import { usePlace } from '../../session/place-context.ts'
import { useTheme } from '../../theme/theme-choice.ts'
import { useLive } from '../client/live-context.ts'
import { settingsGroups } from '../address/settings-sections.ts'
import { sectionsOf } from '../address/sections.ts'
import { useMay } from '../acting/use-may.ts'
import { keptWith } from '../address/To.tsx'
import { useUrlState } from '../address/url-state.ts'
import { useSource } from '../client/use-source.ts'
import { mayAs } from '../words/role-words.ts'
import { useAnswer } from '../client/use-answer.ts'
import { commandsFor, type PaletteCommand } from './commands.ts'
import { VIEWS } from './views.ts'

/** What the palette can do on this page. */
export function useCommands(): readonly PaletteCommand[] {
  const place = usePlace()
  const { signInInfo } = useAuth()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { choose } = useUrlState()
  const { paused, setPaused } = useLive()
  const [, setTheme] = useTheme()
  const { clusters, chooseOne, chooseAll } = useSource()
  const may = useMay()
  const role = useAnswer('sessionMe', {}).data?.role
  const stopActing = (): void => void navigate({ pathname: '/actions', search: keptWith(search, { stop: 'ask' }) })
  return commandsFor({
    sections: sectionsOf(place).filter(({ path }) => path !== '/settings'),
    views: VIEWS.filter(({ whole }) => whole !== true || may.see !== false),
    settings: place.demo
      ? []
      : settingsGroups(signInInfo?.mode).flatMap(({ sections }) =>
          sections.filter(({ needs }) => role === undefined || mayAs(role, needs)),
        ),
    clusters,
    paused,
    go: (path) => void navigate({ pathname: path, search: String(search) }),
    open: ({ path, search: own = {} }) => void navigate({ pathname: path, search: keptWith(search, own) }),
    chooseCluster: chooseOne,
    chooseAllClusters: chooseAll,
    chooseRange: (range) => choose({ range }),
    setPaused,
    stopActing: may.see === true && may.decide ? stopActing : undefined,
    setTheme,
  })
}
