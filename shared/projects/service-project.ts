/** The project that the service itself is. A command on domains that names no project means this one. */
export const SERVICE_PROJECT_ID = 'petstore';
