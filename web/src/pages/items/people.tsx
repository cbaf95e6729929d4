import { address, query } from '../../lib/api';
import type { Item } from '../../lib/types';
import { Icon } from '../../ui/icon';
import { Section } from '../../ui/section';

const most = 24;

export function People({ people }: { people: NonNullable<Item['people']> }) {
  return (
    <Section title="People">
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
              <span class="small muted block">{person.role || person.type}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
