/** How the user called this command, so that suggested command lines can be pasted as they are. */
export const PROGRAM_NAME = process.env.npm_command === 'exec' ? 'npx petstore' : 'petstore';
