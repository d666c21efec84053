/** Why a step that starts a program is refused, and what to do. */
export const COMMAND_STEPS_OFF =
  'command steps are off on this server; its operator turns them on with COMMAND_STEPS=on'
