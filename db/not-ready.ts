const messages = {
  'read-only': 'The database is read-only.',
  'disk full': 'The disk is almost full.',
  'replica only': 'The database does not answer. Its replica does.',
  newer: 'A newer version has migrated the database.',
}

/** The database answers, but cannot take orders. */
export class NotReadyError extends Error {
  readonly state: keyof typeof messages

  constructor(state: keyof typeof messages) {
    super(messages[state])
    this.state = state
  }
}
