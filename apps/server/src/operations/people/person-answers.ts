import type { Answering } from '../answering/answering.ts'
import { exportPerson, forgetPerson, type PersonNeeds } from './person-data.ts'

/** What is kept of one person: told, and deleted. */
export const personAnswers = (answer: Answering, needs: PersonNeeds) => ({
  personExport: answer.ofSeptet('personExport', (input) => exportPerson(needs, input)),
  personForget: answer.ofSeptet('personForget', (input, { caller }) => forgetPerson(needs, input, caller)),
})
