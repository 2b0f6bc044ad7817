// A separate module: pages import these without the client.
export const unreachableMessage = 'The shop cannot be reached. Please check your connection and try again.'
export const timeoutMessage = 'The shop takes too long to answer. Please try again.'
