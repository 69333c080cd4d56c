import { writeAgentSettings, type KeptAgentSettings } from '../../agent-settings.ts'
import type { TestSeptet } from '../open-test-septet.fixture.ts'

/** An operator's token for an agent, which ann@septet.local made after she had turned on these toolsets. */
export async function agentToken(
  septet: TestSeptet,
  toolsets: KeptAgentSettings['toolsets'] = ['read', 'plan', 'act'],
): Promise<string> {
  const made = await fetch(`${septet.url}/api/v1/tokens`, {
    method: 'POST',
    headers: { ...(await septet.signIn('ann@septet.local')), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'agent', role: 'operator' }),
  })
  await writeAgentSettings(septet.store.settings, { toolsets, at: 0, by: 'ann' })
  return ((await made.json()) as { secret: string }).secret
}
