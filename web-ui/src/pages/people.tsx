import { useLocation } from 'preact-iso';
import './people.css';
import { Import } from './people/import.tsx';
import { Organization } from './people/organization.tsx';

/** Staff: who belongs to the site, and to which department. */
export default function People() {
  return useLocation().path.endsWith('/import') ? <Import /> : <Organization />;
}
