/** How the person called this command, so that lines we suggest can be pasted as they are. */
export const PROGRAM_NAME = process.env.npm_command === 'exec' ? 'npx petstore' : 'petstore';
