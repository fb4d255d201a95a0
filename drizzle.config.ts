/** For drizzle-kit, which `npm run migrations` fetches. */
export default {
  dialect: 'sqlite',
  schema: ['./src/store/schema/*.ts', './src/store/domains/**/*.ts'],
  out: './src/store/migrations',
};
