// A separate module: pages import these without the client.
export const unreachable = 'The shop cannot be reached. Please check your connection and try again.'
export const timedOut = 'The shop takes too long to answer. Please try again.'
