export { Random } from '../simulation/random.ts';
