export { deployTables } from '../dynamodb/tables.ts';
