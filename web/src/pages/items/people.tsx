import { address, query } from '../../lib/api';
import { capital } from '../../lib/format';
import type { Item } from '../../lib/types';
import { Icon } from '../../ui/icon';
import { Section } from '../../ui/section';

const most = 24;

/** `AlbumArtist` -> `Album artist`. */
function kindOf(type: string): string {
  return capital(type.replace(/\B([A-Z])/g, ' $1').toLowerCase());
}

export function People({ people }: { people: NonNullable<Item['people']> }) {
  return (
    <Section title="People" note={people.length > most ? `the first ${most} of ${people.length}` : undefined}>
      <ul class="people">
        {people.slice(0, most).map((person) => (
          <li key={person.id + person.type + (person.role ?? '')}>
            <span class="picture face">
              {person.primaryImageTag ? (
                <img
                  src={address(`Items/${person.id}/Images/Primary${query({ tag: person.primaryImageTag })}`)}
                  alt=""
                  loading="lazy"
                />
              ) : (
                <Icon name="person" />
              )}
            </span>
            <span>
              <strong class="small">{person.name}</strong>
              <span class="small muted block">{person.role || kindOf(person.type)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
