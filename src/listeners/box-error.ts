/** Stops the box from starting. The message says why and what to do. */
export class BoxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BoxError';
  }
}

export function whyNotListening(name: string, address: string, { code, message }: NodeJS.ErrnoException): string {
  const key = name.includes('.') ? name : `listen.${name}`;
  const variable = `GATEHOUSE_${key.toUpperCase().replace('.', '__')}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${key} ${address}: another program listens there: stop it, or choose another port in the config (or with ${variable})`;
    case 'EACCES':
      return `${key} ${address}: not allowed to listen on a port below 1024: choose another, or give the program CAP_NET_BIND_SERVICE`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${key} ${address}: this machine has no such address: write one of its own, or 0.0.0.0 for all`;
    default:
      return `${key} ${address}: cannot listen: ${message}`;
  }
}
