declare module '*.css';
/** Made from `src/platform/look.ts` when the pages are built. */
declare module 'gatehouse:look.css';
