/** The demo cluster as a process of its own, which the server starts as it starts its threads. */
// oxlint-disable-next-line import/no-unassigned-import -- a program, which runs when it is loaded
import '@septet/simulator/main'
